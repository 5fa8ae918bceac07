#!/usr/bin/env bash
# mpirun.sh: a job under Open MPI, a process for each rank; the last is the dealer's. All but RANKS goes to every rank.
#
#   mpirun.sh 4 sensors.toml
#   HOSTS=hosts mpirun.sh 4 sensors.toml          # mpirun's hostfile; rank 0 runs on its first host
#
# The same command again goes on from the newest checkpoint. Keys and roster are made once, in the run's folder, which
# all hosts see: whoever may read it could learn all data, so this is for trying a job and for measuring. In earnest
# each party's own machine starts its rank, with a key that never leaves it.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: mpirun.sh RANKS JOB [options of tacit train]" >&2; exit 2; }

ranks=$1
shift
folder=${TACIT_FOLDER:-$PWD/tacit-$(basename "$1" .toml)}
umask 077
mkdir -p "$folder/keys"
chmod 700 "$folder" "$folder/keys"  # they may have been there before; fails where another user owns them
roster=()
for ((rank = 0; rank < ranks; ++rank)); do
  key=$folder/keys/rank$rank.key
  [ -e "$key" ] || tacit keys new "$key" >/dev/null
  roster+=("$([ "$rank" -lt $((ranks - 1)) ] && echo --party || echo --dealer)" "$(tacit keys show "$key" | head -n 1)")
done
tacit keys roster "${roster[@]}" >"$folder/roster"

# Where all processes are on one machine, they find each other; of several, the first host must be said.
where=(-x MASTER_PORT)
export MASTER_PORT=${MASTER_PORT:-4711}
if [ -n "${HOSTS:-}" ]; then
  MASTER_ADDR=$(sed 's/#.*//' "$HOSTS" | awk 'NF { print $1; exit }')
  export MASTER_ADDR
  where+=(--hostfile "$HOSTS" -x MASTER_ADDR)
fi
exec mpirun -n "$ranks" --bind-to none "${where[@]}" tacit train "$@" \
  --set roster="$folder/roster" --key "$folder/keys/rank{rank}.key" --output "$folder"
