#!/usr/bin/env bash
# cloud_start.sh: one rank on a fresh Debian 12 machine. Fill in what stands below and give the file to the cloud as user
# data, which cloud-init runs as root at the first start; or run it by hand with these variables set.
#
#   1. installs the package, unless tacit is there;
#   2. makes this rank's key, which never leaves the machine, and prints its fingerprint: read it in the console's log,
#      and give it to the others;
#   3. waits for the job, for the roster that has this fingerprint, and for a party's data: a path where somebody puts
#      them (scp), or an address from which they are fetched;
#   4. trains, and again when a peer or the network is lost; ends with the exit code of tacit train otherwise.
#
# Rank 0 needs its port open to the others, every rank one of its own: see `tacit train --help`.
set -euo pipefail

export RANK=${RANK:-1} WORLD_SIZE=${WORLD_SIZE:-4}
export MASTER_ADDR=${MASTER_ADDR:-rank0.example.org} MASTER_PORT=${MASTER_PORT:-4711}
package=${TACIT_PACKAGE:-https://example.org/tacit_0.1.0_amd64.deb}  # a path or an address, as the next two
sha256=${TACIT_SHA256:-}                # of the package; must be said where it is fetched
folder=${TACIT_FOLDER:-/var/lib/tacit}  # has the key, and gets what the rank leaves behind
job=${TACIT_JOB:-$folder/job.toml}
roster=${TACIT_ROSTER:-$folder/roster}
data=${TACIT_DATA:-$folder/data.npz}    # of a party; its own, so a path
user=${TACIT_USER:-tacit}               # who trains
pause=${TACIT_PAUSE:-10}                # seconds between two looks for what is not there yet

say() { echo "cloud_start: $*"; }

fail() {
  say "$*" >&2
  exit 2
}

# fetch FROM TO: a copy of a file that is there, or of what an address holds; false where there is none yet.
fetch() {
  case "$1" in
    *://*)
      command -v curl >/dev/null || apt-get install --yes -qq --no-install-recommends curl ca-certificates >/dev/null
      curl --fail --silent --show-error --location --output "$2.part" "$1" && mv "$2.part" "$2"
      ;;
    "$2") [ -e "$2" ] ;;
    *) [ -e "$1" ] && cp "$1" "$2" ;;
  esac
}

as_user() {
  if [ "$user" = "$(id -un)" ]; then "$@"; else runuser -u "$user" -- "$@"; fi
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
  fetch "$package" "$file" || fail "the package $package is not there; say TACIT_PACKAGE=FILE, or an address"
  if [[ $package == *://* || -n $sha256 ]]; then
    sha256sum --check --status <<<"$sha256  $file" ||
      fail "the package $package is not the one that TACIT_SHA256 names; it was not installed"
  fi
  chmod 755 "$temporary"  # apt reads it as a user of its own
  apt-get install --yes -qq "$file" >/dev/null
  rm -r "$temporary"
}

make_key() {
  id "$user" >/dev/null 2>&1 || useradd --system --home-dir "$folder" --shell /usr/sbin/nologin "$user"
  mkdir -p "$folder"
  chown "$user": "$folder"
  [ -e "$folder/rank.key" ] || as_user tacit keys new "$folder/rank.key" >/dev/null
  fingerprint=$(as_user tacit keys show "$folder/rank.key" | head -n 1)
}

names_this_key() { fetch "$roster" "$folder/roster" && grep -qF "$fingerprint" "$folder/roster"; }

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

command -v tacit >/dev/null || install_package
make_key
say "rank $RANK has the fingerprint $fingerprint"
wait_for "the job, $job" fetch "$job" "$folder/job.toml"
wait_for "a roster with this fingerprint, $roster" names_this_key
[ "$RANK" -eq $((WORLD_SIZE - 1)) ] || wait_for "this party's data, $data" test -e "$data"  # the dealer has none
train
