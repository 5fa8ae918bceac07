#!/usr/bin/env bash
# report_browser_test.sh TACIT SOURCE: pages of real runs, and of stored measurements, in headless Chromium, light and dark, wide and narrow: the picture is
# not blank, and no text of a figure lies on another or beyond it. PNGs stay in $TACIT_SCREENSHOTS, if that is set.
set -euo pipefail
tacit=$1 source=$2
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
  echo "skipped: there is no chromium here (Debian: apt-get install chromium)"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
pictures=${TACIT_SCREENSHOTS:-$folder/pictures}
mkdir -p "$pictures"

browse() { # browse OPTIONS… FILE: with a profile of its own
  timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" \
    "${@:1:$#-1}" "file://${*: -1}" 2>"$folder/chromium.err" || { tail -5 "$folder/chromium.err"; exit 1; }
}

# Told by a copy with a script: the page itself has none, and would run none.
cat >"$folder/measure.html" <<'END'
<script>
const wrong = [];
for (const svg of document.querySelectorAll("svg.figure")) {
  const texts = [...svg.querySelectorAll("text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
  const all = svg.getBoundingClientRect();
  texts.forEach(([a, p], i) => {
    if (p.left < all.left - 1 || p.right > all.right + 1 || p.bottom > all.bottom + 1) wrong.push(a + " is cut");
    for (const [b, q] of texts.slice(i + 1)) {
      const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (x > 0.5 && y > 2.5) wrong.push(a + " lies on " + b);  // a line's box has some room above its letters
    }
  });
}
if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("the page is wider than its window");
const figures = document.querySelectorAll("svg.figure").length;
document.title = "measured " + figures + " figures: " + (wrong.join("; ") || "all is well");
</script>
END

failed=0
check() { # check NAME PAGE FIGURES
  local name=$1 page=$2 figures=$3 size said
  sed -e '/Content-Security-Policy/s/<meta http-equiv="Content-Security-Policy"[^>]*>//' "$page" |
    sed -e "/<\/body>/{
      r $folder/measure.html
    }" >"$folder/copy.html"
  for width in 1200 390; do
    said=$(browse --window-size=$width,2000 --dump-dom "$folder/copy.html" | grep -o '<title>measured[^<]*' || true)
    echo "$name at $width: ${said:-was not measured}"
    [ "$said" = "<title>measured $figures figures: all is well" ] || failed=1
    for mode in light dark; do
      local options=() picture=$pictures/$name-$width-$mode.png
      [ $mode = dark ] && options=(--blink-settings=preferredColorScheme=0)
      browse --window-size=$width,3000 "${options[@]}" --screenshot="$picture" "$page" >/dev/null
      size=$(stat -c %s "$picture")
      # A blank picture of this size packs into a few kilobytes.
      if [ "$size" -lt 30000 ]; then echo "$name-$width-$mode.png is blank: $size bytes" && failed=1; fi
    done
    if cmp -s "$pictures/$name-$width-light.png" "$pictures/$name-$width-dark.png"; then
      echo "$name: dark is light" && failed=1
    fi
  done
}

cd "$folder"
"$tacit" demo --parties 3 --epochs 60 --keep three >/dev/null 2>&1
"$tacit" demo --parties 8 --epochs 30 --keep eight >/dev/null 2>&1
"$tacit" demo --parties 2 --epochs 1 --keep two >/dev/null 2>&1
for run in three eight two; do "$tacit" report "$run" >/dev/null; done
"$tacit" report three eight two --output compared.html >/dev/null
cp -r "$source/bench/results/2-core-epyc-2026-11/trainings" measured
"$tacit" bench page measured >/dev/null
check three "$folder/three/report.html" 10
check eight "$folder/eight/report.html" 10
check two "$folder/two/report.html" 10
check compared "$folder/compared.html" 7
check measured "$folder/measured/report.html" "$(find measured/figures -name '*.svg' | wc -l)"
exit $failed
