#!/usr/bin/env bash
# cloud_start.sh: runs one rank on a fresh Debian 12 machine. Fill in the variables below and give the file to the cloud as
# user data, which cloud-init runs as root at the first start. Or run it by hand with these variables set. The script
#
#   1. installs the package, unless tacit is installed;
#   2. makes this rank's key, which never leaves the machine, and prints its fingerprint: read it in the console's log,
#      and give it to the other parties;
#   3. waits for the job, for the roster with this fingerprint, and for a party's data. Each has a path to which somebody
#      copies the file (scp). The job and the roster may have an address instead, with the SHA-256 of the content;
#   4. trains, and restarts when a peer or the network is lost. Otherwise it ends with the exit code of tacit train.
#
# The roster lists the keys that this rank trusts. This rank's own fingerprint in it proves nothing about the other
# lines. A forger of the other lines can take the places of the dealer and of all other parties. Therefore take the
# roster, or its SHA-256, only over a channel that proves its sender: ssh to this machine, a signed message, the
# phone.
#
# Rank 0 needs its port open to the other ranks, and every rank needs one open port: see `tacit train --help`.
set -euo pipefail

export RANK=${RANK:-1} WORLD_SIZE=${WORLD_SIZE:-4}
export MASTER_ADDR=${MASTER_ADDR:-rank0.example.org} MASTER_PORT=${MASTER_PORT:-4711}
package=${TACIT_PACKAGE:-https://example.org/tacit_0.1.0_amd64.deb}  # a path or an address
sha256=${TACIT_SHA256:-}                # of the package; required for an address
folder=${TACIT_FOLDER:-/var/lib/tacit}  # has the key and the output of the rank
job=${TACIT_JOB:-$folder/job.toml}      # a path that the user below may read, or an address; so is the roster
roster=${TACIT_ROSTER:-$folder/roster}
job_sha256=${TACIT_JOB_SHA256:-}        # required if the job has an address; so is the next one for the roster
roster_sha256=${TACIT_ROSTER_SHA256:-}
data=${TACIT_DATA:-$folder/data.npz}    # a party's own data: always a path
user=${TACIT_USER:-tacit}               # the user that trains
pause=${TACIT_PAUSE:-10}                # seconds between two attempts

say() { echo "cloud_start: $*"; }

fail() {
  say "$*" >&2
  exit 2
}

is_address() { [[ $1 == *://* ]]; }

# as_user COMMAND …: runs a command as the service's user. Root never writes to this user's folder, because a link in it
# could lead anywhere.
as_user() {
  if [ "$user" = "$(id -un)" ]; then "$@"; else runuser -u "$user" -- "$@"; fi
}

# fetch FROM TO MIB: copies a file, or the content of an address; false if it does not exist yet.
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

# has_digest SHA256 FILE COMMAND …: true if the file has this digest, or if no digest was given. COMMAND runs sha256sum.
has_digest() { [ -z "$1" ] || "${@:3}" sha256sum --check --status <<<"$1  $2"; }

# fetch_for_user NAME VARIABLE FROM TO SHA256: fetches the job or the roster (NAME); VARIABLE states its SHA256.
fetch_for_user() {
  if [ "$3" != "$4" ]; then
    fetch "$3" "$4.part" 1 as_user || return
    has_digest "$5" "$4.part" as_user ||
      fail "the $1 $3 does not have the SHA-256 in $2, and was not used"
    as_user mv -f "$4.part" "$4"
  else
    as_user test -e "$4" && has_digest "$5" "$4" as_user  # false while the file is being copied
  fi
}

# require_digest NAME FROM SHA256 VARIABLE: fails if FROM is an address and no SHA256 is given.
require_digest() {
  ! is_address "$2" || [ -n "$3" ] ||
    fail "the $1 is to come from the address $2, and the server there decides its content: say $4, its SHA-256" \
      "from somebody you know, or put the file on this machine yourself"
}

# wait_for NAME COMMAND …: repeats COMMAND until it succeeds.
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
      fail "the package $package does not have the SHA-256 in TACIT_SHA256, and was not installed"
  fi
  chmod 755 "$temporary"  # apt reads the file as its own user
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

# True if this rank is the dealer, which comes after the parties and has no data. A job without a dealer has parties alone.
is_dealer() {
  local parties
  parties=$(as_user sed -n 's/^ *parties *= *\([0-9]\+\).*/\1/p' "$folder/job.toml" | head -n 1)
  [ "$RANK" -ge "${parties:-$((WORLD_SIZE - 1))}" ]
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
is_dealer || wait_for "this party's data, $data" test -e "$data"
train
