#!/usr/bin/env bash
# debian_test.sh FOLDER SOURCE BUILD COMPILER: the package in FOLDER is complete, depends on
# everything that it needs and on no compiler. `tacit demo` trains in a root that contains only the
# package and its dependencies; examples/own_data is built against the package and trains. Exit code
# 77: there is no package.
set -euo pipefail
folder=$1 source=$2 build=$3 compiler=$4
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
package=$(echo "$folder"/tacit_*.deb)
[ -e "$package" ] || skip "no package was made"
root=$work/root

field() { dpkg-deb --field "$package" "$1"; }
has() { [ -e "$root/usr/$1" ] || fail "the package lacks /usr/$1"; }

expect_contents() {
  local file
  has bin/tacit
  for file in net mpc gnn; do has "lib/libtacit_$file.a"; done
  has lib/cmake/tacit/tacitConfig.cmake
  has include/tacit/gnn/run/training_run.h
  has share/doc/tacit/examples/jobs/sensors.toml
  has share/doc/tacit/examples/cluster/slurm.sh
  bash -n "$root/usr/share/bash-completion/completions/tacit" || fail "bash does not read the completion"
  grep -qE '"[^"]*\bkeys\b' "$root/usr/share/bash-completion/completions/tacit" || fail "the completion knows no verbs"
  # Not grep -q, which may end before zcat has written all.
  zcat "$root/usr/share/man/man1/tacit.1.gz" | grep '^\.SH VERBS' >/dev/null || fail "the manual has no verbs"
  [ "$(zcat "$root/usr/share/doc/tacit/changelog.gz" | sed -n '1s/^tacit (\(.*\)) .*/\1/p')" = "$(field Version)" ] ||
    fail "the changelog is not of version $(field Version)"
  if readelf --sections --wide "$root/usr/bin/tacit" | grep -q '\.debug_info'; then fail "the command is not stripped"; fi
  file=$(find "$root" -perm /022 ! -type l | head -n 1)
  [ -z "$file" ] || fail "others than root may write $file"
}

# The packages of the libraries that the command loads, by name; dpkg may list files of /usr/lib
# under /lib.
needed_packages() {
  local library
  ldd "$root/usr/bin/tacit" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | while read -r library; do
    library=$(readlink -f "$library")
    dpkg --search "$library" 2>/dev/null || dpkg --search "${library#/usr}" || echo "nobody-s-$library:"
  done | sed 's/:.*//' | sort -u
}

# The packages that apt would install with it: Depends, recursively.
depended_on() {
  local found more
  found=$(field Depends | tr ',' '\n' | sed 's/|.*//; s/(.*//; s/[[:space:]]//g' | sort -u)
  while :; do
    # shellcheck disable=SC2086
    more=$( (echo "$found"; dpkg-query --show --showformat='${Depends},${Pre-Depends}\n' $found | tr ',' '\n' |
      sed 's/|.*//; s/(.*//; s/:any//; s/[[:space:]]//g' | grep .) | sort -u)
    [ "$more" != "$found" ] || break
    found=$more
  done
  echo "$found"
}

expect_dependencies() {
  local name all
  all=$(depended_on)
  [ "$(needed_packages | wc -l)" -gt 4 ] || fail "the command hardly needs a library: $(needed_packages)"
  for name in $(needed_packages); do grep -qx "$name" <<<"$all" || fail "Depends lacks $name: $(field Depends)"; done
  if name=$(grep -E -- '-dev$|^(g\+\+|gcc|cpp|cmake|clang)(-[0-9]+)?$' <<<"$all"); then
    fail "an installation of tacit would also install $name"
  fi
}

# Runs in a root that contains only these packages, with its own /proc, /dev and /tmp, invisible
# outside.
run_demo_in_clean_root() {
  local name inside=(unshare --mount --pid --fork --kill-child)
  [ "$(id -u)" -eq 0 ] || inside+=(--map-root-user)
  if ! "${inside[@]}" true 2>/dev/null; then
    quietly "tacit demo fails" env --ignore-environment PATH=/nowhere TMPDIR="$work" timeout 60 "$root/usr/bin/tacit" demo
    return
  fi
  for name in lib lib64 bin sbin; do mkdir -p "$root/usr/$name" && ln -s "usr/$name" "$root/$name"; done
  for name in $(depended_on); do
    dpkg --listfiles "$name" | while read -r file; do
      if [ -f "$file" ]; then echo "$(readlink -f "$(dirname "$file")")/$(basename "$file")"; fi
    done
  done | sed 's|^/||' | sort -u >"$work/files"
  tar --create --directory=/ --files-from="$work/files" | tar --extract --directory="$root"
  mkdir -p "$root/proc" "$root/dev" "$root/tmp"
  # shellcheck disable=SC2016
  quietly "tacit demo fails in a root with its dependencies alone: $(depended_on | tr '\n' ' ')" \
    timeout --kill-after=5 60 "${inside[@]}" env --ignore-environment sh -c '
      PATH=/usr/bin:/bin:/usr/sbin:/sbin
      mount -t proc proc "$0/proc"
      mount -t tmpfs none "$0/dev"
      for device in null zero random urandom; do : >"$0/dev/$device"; mount --bind "/dev/$device" "$0/dev/$device"; done
      exec chroot "$0" /usr/bin/tacit demo --epochs 50' "$root"
  grep -q '^test rmse' "$work/log" || fail "tacit demo ended without the error of both: $(cat "$work/log")"
}

# The Python package, if it was built, runs from its own folder with the modules that it depends on.
expect_python_package() {
  local python root=$work/python name
  python=$(echo "$folder"/python3-tacit_*.deb)
  [ -e "$python" ] || return 0
  dpkg-deb --extract "$python" "$root"
  for name in __init__.py __init__.pyi mpc.py mpc.pyi net.py net.pyi errors.py _job_schema.pyi _export/load_numpy.py py.typed; do
    [ -e "$root/usr/lib/python3/dist-packages/tacit/$name" ] || fail "the Python package lacks $name"
  done
  dpkg-deb --field "$python" Depends | grep -q 'python3-numpy' || fail "the Python package does not depend on numpy"
  name=$(dpkg-deb --field "$python" Depends | tr ',' '\n' | grep -E -- '-dev' || true)
  [ -z "$name" ] || fail "python3-tacit depends on $name"
  PYTHONPATH=$root/usr/lib/python3/dist-packages quietly "the Python package does not compute" /usr/bin/python3 -B -c '
import tacit
with tacit.mpc.simulate(parties=3) as s:
    assert (s.share([1.5, 2]) * s.share([4, 0], owner=1)).reveal("products").tolist() == [6, 0]'
}

mkdir "$root"
dpkg-deb --extract "$package" "$root"
expect_contents
expect_dependencies
expect_python_package
"$source/tests/package/package_test.sh" "$build" "$source" "$compiler" "$root/usr"
run_demo_in_clean_root
echo "debian_test: done after $SECONDS s"
