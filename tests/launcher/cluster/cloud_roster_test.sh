#!/usr/bin/env bash
# cloud_roster_test.sh TACIT SOURCE: tools/cluster/cloud_start.sh takes a roster and a job from an
# address only with their digests, and as root writes nothing into the folder of the service's user.
# A stand-in takes the place of the training. Exit code 77: no curl.
set -euo pipefail
source=$2
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
command -v curl >/dev/null || skip "curl is not installed (tools/setup --tests)"

chmod 755 "$work"
mkdir "$work/bin" "$work/served"
cat >"$work/bin/tacit" <<'END'
#!/bin/sh
case "$1 $2" in
  "keys new") umask 077 && echo key >"$3" ;;
  "keys show") echo "my-fingerprint" ;;
  train*) echo "trained as $(id -un)" ;;
esac
END
chmod 755 "$work/bin/tacit"
echo "party my-fingerprint, dealer an-attackers-fingerprint" >"$work/served/roster"
echo "a job" >"$work/served/job.toml"
sha256_of() { sha256sum "$work/served/$1" | cut -d' ' -f1; }

# start [VARIABLE=VALUE …]: starts the dealer's machine in a new folder. The exit code is in $code, the output in
# $work/said.
start() {
  rm -rf "$work/folder"
  restart "$@"
}
restart() {
  code=0
  env RANK=3 WORLD_SIZE=4 TACIT_USER="$(id -un)" TACIT_FOLDER="$work/folder" TACIT_PAUSE=0.1 PATH="$work/bin:$PATH" \
    TACIT_JOB="file://$work/served/job.toml" TACIT_JOB_SHA256="$(sha256_of job.toml)" \
    TACIT_ROSTER="file://$work/served/roster" TACIT_ROSTER_SHA256="$(sha256_of roster)" "$@" \
    timeout "${patience:-20}" "$source/tools/cluster/cloud_start.sh" >"$work/said" 2>&1 || code=$?
}
refused() {
  [ "$code" -eq 2 ] || fail "$1 ends with $code: $(cat "$work/said")"
  grep -q "$2" "$work/said" || fail "$1 is refused in other words: $(cat "$work/said")"
  ! grep -q trained "$work/said" || fail "$1 trains"
}

start
{ [ "$code" -eq 0 ] && grep -q trained "$work/said"; } || fail "a job and a roster with their digests: $(cat "$work/said")"
[ "$(stat -c %a "$work/folder")" = 700 ] || fail "others may look into the folder"

start TACIT_ROSTER_SHA256=
refused "a roster from an address without a digest" "the server there decides its content: say TACIT_ROSTER_SHA256"
start TACIT_JOB_SHA256=
refused "a job from an address without a digest" "say TACIT_JOB_SHA256"
start TACIT_ROSTER_SHA256="$(sha256_of job.toml)"
refused "another roster" "does not have the SHA-256 in TACIT_ROSTER_SHA256"
start TACIT_JOB_SHA256="$(sha256_of roster)"
refused "another job" "does not have the SHA-256 in TACIT_JOB_SHA256"
start TACIT_ROSTER="$work/served/roster" TACIT_JOB="$work/served/job.toml" TACIT_ROSTER_SHA256= TACIT_JOB_SHA256=
[ "$code" -eq 0 ] || fail "files that somebody put on the machine: $(cat "$work/said")"

# Without a dealer the last rank is a party.
for parties in 3 4; do
  echo "parties = $parties  # of four ranks" >"$work/served/job.toml"
  patience=2 start TACIT_DATA="$work/no-data"
  if [ "$parties" -eq 4 ]; then
    grep -q "waiting for this party's data" "$work/said" || fail "a party does not wait for its data: $(cat "$work/said")"
  else
    grep -q trained "$work/said" || fail "the dealer waits for data: $(cat "$work/said")"
  fi
done
patience=
echo "a job" >"$work/served/job.toml"

if [ "$(id -u)" -eq 0 ]; then
  start TACIT_USER=nobody
  { [ "$code" -eq 0 ] && grep -q "trained as nobody" "$work/said"; } || fail "under a service's user: $(cat "$work/said")"
  [ -z "$(find "$work/folder" ! -user nobody)" ] || fail "root wrote into the folder of the service's user"
  echo untouched >"$work/victim"
  # through_link NAME THING makes the temporary file of NAME a link to a file of root, and checks that root writes
  # nothing through the link. An attempt counts if the script came to "waiting for THING", which takes several seconds
  # on a slow machine.
  through_link() {
    for patience in 1 3 9 27; do
      while grep -qs "${work##*/}/[f]older" /proc/[0-9]*/cmdline; do sleep 0.1; done  # a fetch of an ended attempt
      rm -f "$work/folder/$1" "$work/folder/$1.part"
      runuser -u nobody -- ln -s "$work/victim" "$work/folder/$1.part"
      restart TACIT_USER=nobody
      [ "$(cat "$work/victim")" = untouched ] || fail "root wrote $1 through a link of the service's user"
      ! grep -q "waiting for $2" "$work/said" || break
    done
    grep -q "waiting for $2" "$work/said" || fail "the script did not come to $1: $(cat "$work/said")"
    rm -f "$work/folder/$1.part"
  }
  through_link roster "a roster"
  through_link job.toml "the job"
fi
echo "cloud_roster_test: done after $SECONDS s"
