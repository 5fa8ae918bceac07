#!/usr/bin/env bash
# mpirun.sh: starts a job under Open MPI, one process for each rank. A dealer is the last rank. All arguments except
# RANKS go to every rank.
#
#   mpirun.sh 4 sensors.toml
#   HOSTS=hosts mpirun.sh 4 sensors.toml          # mpirun's hostfile; rank 0 runs on its first host
#
# The same command again resumes from the newest checkpoint. The first start makes keys and roster in the run's folder,
# which all hosts see. A reader of this folder could learn all data, so use this script to try a job or to measure. In
# production, each party's own machine starts its rank, with a key that never leaves the machine.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: mpirun.sh RANKS JOB [options of tacit train]" >&2; exit 2; }

ranks=$1
shift
folder=${TACIT_FOLDER:-$PWD/tacit-$(basename "$1" .toml)}
umask 077
mkdir -p "$folder/keys"
chmod 700 "$folder" "$folder/keys"  # the folders may exist already; fails if another user owns one
# The last rank is the dealer, if the job has one.
parties=$ranks
if tacit settings --job "$1" | grep '^correlations = "dealer"' >/dev/null; then parties=$((ranks - 1)); fi
roster=()
for ((rank = 0; rank < ranks; ++rank)); do
  key=$folder/keys/rank$rank.key
  [ -e "$key" ] || tacit keys new "$key" >/dev/null
  roster+=("$([ "$rank" -lt "$parties" ] && echo --party || echo --dealer)" "$(tacit keys show "$key" | head -n 1)")
done
tacit keys roster "${roster[@]}" >"$folder/roster"

# On one machine the processes find each other. On several machines they need the address of the first host.
where=(-x MASTER_PORT)
export MASTER_PORT=${MASTER_PORT:-4711}
if [ -n "${HOSTS:-}" ]; then
  MASTER_ADDR=$(sed 's/#.*//' "$HOSTS" | awk 'NF { print $1; exit }')
  export MASTER_ADDR
  where+=(--hostfile "$HOSTS" -x MASTER_ADDR)
fi
exec mpirun -n "$ranks" --bind-to none "${where[@]}" tacit train "$@" \
  --set roster="$folder/roster" --key "$folder/keys/rank{rank}.key" --output "$folder"
