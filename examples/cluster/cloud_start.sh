#!/usr/bin/env bash
# cloud_start.sh: one rank on a fresh Debian 12 machine. Fill in what stands below and give the file to the cloud as user
# data, which cloud-init runs as root at the first start; or run it by hand with these variables set.
#
#   1. installs the package, unless tacit is there;
#   2. makes this rank's key, which never leaves the machine, and prints its fingerprint: read it in the console's log,
#      and give it to the others;
#   3. waits for the job, for the roster that has this fingerprint, and for a party's data: a path where somebody puts
#      them (scp), or, for the job and the roster, an address and the SHA-256 of what it must hold;
#   4. trains, and again when a peer or the network is lost; ends with the exit code of tacit train otherwise.
#
# The roster says whom this rank trusts. That it has this rank's own fingerprint proves nothing about its other lines, and
# whoever writes those can take the places of the dealer and of all other parties. So take the roster, or its SHA-256,
# only over a channel that proves who sent it: ssh to this machine, a signed message, the phone.
#
# Rank 0 needs its port open to the others, every rank one of its own: see `tacit train --help`.
set -euo pipefail

export RANK=${RANK:-1} WORLD_SIZE=${WORLD_SIZE:-4}
export MASTER_ADDR=${MASTER_ADDR:-rank0.example.org} MASTER_PORT=${MASTER_PORT:-4711}
package=${TACIT_PACKAGE:-https://example.org/tacit_0.1.0_amd64.deb}  # a path or an address
sha256=${TACIT_SHA256:-}                # of the package; must be said where it is fetched
folder=${TACIT_FOLDER:-/var/lib/tacit}  # has the key, and gets what the rank leaves behind
job=${TACIT_JOB:-$folder/job.toml}      # a path that the user below may read, or an address; the roster likewise
roster=${TACIT_ROSTER:-$folder/roster}
job_sha256=${TACIT_JOB_SHA256:-}        # must be said where the job is fetched from an address; of the roster likewise
roster_sha256=${TACIT_ROSTER_SHA256:-}
data=${TACIT_DATA:-$folder/data.npz}    # of a party; its own, so a path
user=${TACIT_USER:-tacit}               # who trains
pause=${TACIT_PAUSE:-10}                # seconds between two looks for what is not there yet

say() { echo "cloud_start: $*"; }

fail() {
  say "$*" >&2
  exit 2
}

is_address() { [[ $1 == *://* ]]; }

# as_user COMMAND …: as the service's user, whose folder root never writes to: a link in it could lead anywhere.
as_user() {
  if [ "$user" = "$(id -un)" ]; then "$@"; else runuser -u "$user" -- "$@"; fi
}

# fetch FROM TO MIB: a copy of a file, or of the content of an address; false if it does not exist yet.
fetch() {
  # shellcheck disable=SC2016
  local copy='case $1 in
    *://*) curl --fail --silent --show-error --location --connect-timeout 20 --max-time 600 "$1" ;;
    *) [ -e "$1" ] && cat "$1" ;;
  esac | head -c "$(($3 << 20))" >"$2"'
  if is_address "$1" && ! command -v curl >/dev/null; then
    apt-get install --yes -qq --no-install-recommends curl ca-certificates >/dev/null
  fi
  "${@:4}" bash -o pipefail -c "$copy" fetch "$1" "$2" "$3"
}

# has_digest SHA256 FILE COMMAND …: whether the file has it, as COMMAND sees it; true where none was said.
has_digest() { [ -z "$1" ] || "${@:3}" sha256sum --check --status <<<"$1  $2"; }

# fetch_for_user WHAT VARIABLE FROM TO SHA256
fetch_for_user() {
  if [ "$3" != "$4" ]; then
    fetch "$3" "$4.part" 1 as_user || return
    has_digest "$5" "$4.part" as_user ||
      fail "the $1 $3 is not the one that $2 names; it was not used"
    as_user mv -f "$4.part" "$4"
  else
    as_user test -e "$4" && has_digest "$5" "$4" as_user  # it may still be on its way here
  fi
}

# require_digest WHAT FROM SHA256 VARIABLE
require_digest() {
  ! is_address "$2" || [ -n "$3" ] ||
    fail "the $1 is to come from the address $2, and whoever answers there decides what it holds: say $4, its SHA-256" \
      "as somebody you know told it to you, or put the file on this machine yourself"
}

# wait_for WHAT COMMAND …: until COMMAND succeeds.
wait_for() {
  local what=$1
  shift
  "$@" && return
  say "waiting for $what"
  until "$@"; do sleep "$pause"; done
}

install_package() {
  export DEBIAN_FRONTEND=noninteractive
  local file
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  file=$temporary/tacit.deb
  apt-get update -qq
  fetch "$package" "$file" 1024 || fail "the package $package is not there; say TACIT_PACKAGE=FILE, or an address"
  if is_address "$package" || [ -n "$sha256" ]; then
    has_digest "${sha256:-none}" "$file" ||
      fail "the package $package is not the one that TACIT_SHA256 names; it was not installed"
  fi
  chmod 755 "$temporary"  # apt reads it as a user of its own
  apt-get install --yes -qq "$file" >/dev/null
  rm -r "$temporary"
}

make_key() {
  id "$user" >/dev/null 2>&1 || useradd --system --home-dir "$folder" --shell /usr/sbin/nologin "$user"
  mkdir -p "$folder"
  [ ! -O "$folder" ] || chown "$user": "$folder"
  as_user chmod 700 "$folder" || fail "the folder $folder is not one of the user $user; name another in TACIT_FOLDER"
  as_user test -e "$folder/rank.key" || as_user tacit keys new "$folder/rank.key" >/dev/null
  fingerprint=$(as_user tacit keys show "$folder/rank.key" | head -n 1)
}

fetch_job() { fetch_for_user job TACIT_JOB_SHA256 "$job" "$folder/job.toml" "$job_sha256"; }

fetch_roster() {
  fetch_for_user roster TACIT_ROSTER_SHA256 "$roster" "$folder/roster" "$roster_sha256" &&
    as_user grep -qF "$fingerprint" "$folder/roster"
}

train() {
  local code
  while :; do
    code=0
    as_user tacit train "$folder/job.toml" --set roster="$folder/roster" --key "$folder/rank.key" \
      --data "$data" --output "$folder/runs" || code=$?
    [ "$code" -eq 3 ] || return "$code"
    say "a peer or the network was lost; once more in $pause s, from the newest checkpoint"
    sleep "$pause"
  done
}

require_digest job "$job" "$job_sha256" TACIT_JOB_SHA256
require_digest roster "$roster" "$roster_sha256" TACIT_ROSTER_SHA256
command -v tacit >/dev/null || install_package
make_key
say "rank $RANK has the fingerprint $fingerprint"
wait_for "the job, $job" fetch_job
wait_for "a roster with this fingerprint, $roster" fetch_roster
[ "$RANK" -eq $((WORLD_SIZE - 1)) ] || wait_for "this party's data, $data" test -e "$data"  # the dealer has none
train
