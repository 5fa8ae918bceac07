#!/usr/bin/env bash
# cloud_start_test.sh FOLDER SOURCE: runs tools/cluster/cloud_start.sh as on four fresh machines,
# each with its own folder and an apt-get that unpacks the package in FOLDER. The machines wait for
# roster and data, train, and resume after the loss of a machine. Exit code 77: a required program is
# missing.
set -euo pipefail
folder=$1 source=$2
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
package=$(realpath "$(echo "$folder"/tacit_*.deb)")
[ -e "$package" ] || skip "no package was made"
command -v curl >/dev/null || skip "curl is not installed (tools/setup --tests)"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
if command -v tacit >/dev/null; then skip "tacit is installed on this machine"; fi

declare -A machine_of=()  # rank by process number
cleanup() {
  kill_all_of_folder
  wait
}

ranks=4
mkdir "$work/temporary"
export TMPDIR=$work/temporary
export WORLD_SIZE=$ranks MASTER_ADDR=127.0.0.1 MASTER_PORT TACIT_USER TACIT_PAUSE=0.2
export TACIT_PACKAGE=file://$package TACIT_SHA256
MASTER_PORT=$(free_port)
TACIT_USER=$(id -un)
TACIT_SHA256=$(sha256sum "$package" | cut -d' ' -f1)

machine() { echo "$work/machine$1"; }

make_machine() {
  mkdir -p "$(machine "$1")/bin"
  cat >"$(machine "$1")/bin/apt-get" <<'END'
#!/bin/sh
here=$(dirname "$0")
for file in "$@"; do
  case "$file" in *.deb) dpkg-deb --extract "$file" "$here/../root" && ln -s ../root/usr/bin/tacit "$here/tacit" ;; esac
done
END
  chmod +x "$(machine "$1")/bin/apt-get"
}

start() {
  local rank=$1
  RANK=$rank TACIT_FOLDER=$(machine "$rank")/tacit PATH=$(machine "$rank")/bin:$PATH \
    timeout 100 "$source/tools/cluster/cloud_start.sh" >>"$(machine "$rank")/log" 2>&1 &
  machine_of[$!]=$rank
}

log_has() { grep -q "$2" "$(machine "$1")/log"; }
all_logs_have() {
  local rank
  for ((rank = 0; rank < ranks; ++rank)); do log_has "$rank" "$1" || return 1; done
}
refuse() {
  tail -n 20 "$work"/machine*/log >&2
  fail "$1"
}

make_machine 9
code=0
RANK=0 TACIT_FOLDER=$(machine 9)/tacit TACIT_SHA256=0 PATH=$(machine 9)/bin:$PATH \
  "$source/tools/cluster/cloud_start.sh" >"$(machine 9)/log" 2>&1 || code=$?
[ "$code" -eq 2 ] || refuse "a wrong package ends it with $code"
log_has 9 "does not have the SHA-256 in TACIT_SHA256" || refuse "a wrong package is not named"
[ ! -e "$(machine 9)/bin/tacit" ] || fail "a wrong package is installed"
rm -r "$(machine 9)"
[ -z "$(ls "$TMPDIR")" ] || fail "a wrong package is left behind"

for ((rank = 0; rank < ranks; ++rank)); do
  make_machine "$rank"
  start "$rank"
done
eventually 30 all_logs_have "waiting for the job" || refuse "machines do not come up"

tacit=$(machine 0)/bin/tacit
sed 's/^epochs = .*/epochs = 1500/; s/^every = .*/every = 20/' "$source/examples/jobs/sensors.toml" >"$work/sensors.toml"
quietly "no data" "$tacit" data make sensors --stations 60 --out "$work/whole.npz"
quietly "no parts" "$tacit" data split "$work/whole.npz" --job "$work/sensors.toml" --out "$work"
roster=()
for ((rank = 0; rank < ranks; ++rank)); do
  cp "$work/sensors.toml" "$(machine "$rank")/tacit/job.toml"
  roster+=("$([ "$rank" -lt $((ranks - 1)) ] && echo --party || echo --dealer)")
  roster+=("$(sed -n "s/.*rank $rank has the fingerprint //p" "$(machine "$rank")/log")")
done
eventually 10 all_logs_have "waiting for a roster" || refuse "machines do not wait for a roster"
"$tacit" keys roster "${roster[@]}" >"$work/roster"
for ((rank = 0; rank < ranks; ++rank)); do cp "$work/roster" "$(machine "$rank")/tacit/roster"; done
for ((rank = 0; rank < ranks - 1; ++rank)); do
  eventually 10 log_has "$rank" "waiting for this party's data" || refuse "rank $rank does not wait for its data"
  cp "$work/rank$rank.npz" "$(machine "$rank")/tacit/data.npz"
done

eventually 30 grep -qs '"event": *"checkpoint"' "$(machine 1)/tacit/runs/rank1/events.jsonl" || refuse "nobody trains"
pkill -KILL -f -- "--output $(machine 1)/tacit/runs" || refuse "rank 1 does not run any more"
eventually 20 log_has 0 "once more in" || refuse "rank 0 does not try again when rank 1 is lost"
start 1
while [ ${#machine_of[@]} -gt 0 ]; do
  code=0
  wait -n -p pid "${!machine_of[@]}" || code=$?
  rank=${machine_of[$pid]}
  unset "machine_of[$pid]"
  [ "$code" -eq 0 ] || { [ "$rank" -eq 1 ] && [ "$code" -eq 137 ]; } || refuse "machine $rank ends with $code"
done
for ((rank = 0; rank < ranks; ++rank)); do
  grep -q '"result": *"finished"' "$(machine "$rank")/tacit/runs/rank$rank/summary.json" || refuse "rank $rank has not finished"
done
grep -q '"resumed_from": *[1-9]' "$(machine 2)/tacit/runs/rank2/summary.json" || refuse "rank 2 began from the first epoch again"
echo "cloud_start_test: done after $SECONDS s"
