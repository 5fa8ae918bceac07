#!/usr/bin/env bash
# slurm.sh: a job under Slurm, a task for each rank; the last is the dealer's. All but JOB goes to every rank.
#
#   sbatch --ntasks=4 slurm.sh sensors.toml
#
# The same command again goes on from the newest checkpoint. Keys and roster are made once, in the run's folder, which
# all nodes see: whoever may read it could learn all data, so this is for trying a job and for measuring. In earnest
# each party's own machine starts its rank, with a key that never leaves it.
#SBATCH --job-name=tacit
#SBATCH --ntasks=4             # the job's parties and the dealer
#SBATCH --cpus-per-task=2
#SBATCH --time=01:00:00        # what ends here ends with a checkpoint, and exit code 143
#SBATCH --output=tacit-%j.log
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: sbatch --ntasks=RANKS slurm.sh JOB [options of tacit train]" >&2; exit 2; }

ranks=$SLURM_NTASKS
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

# Rank 0 runs on the first node, where the others look for it; two jobs may share that node.
export MASTER_PORT=${MASTER_PORT:-$((20000 + SLURM_JOB_ID % 10000))}
# Since Slurm 22.05 srun does not ask for as many processors as sbatch did, unless it is told.
if [ -n "${SLURM_CPUS_PER_TASK:-}" ]; then export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK; fi
# Not `tacit train` without srun: this script is one task alone. Ranks that lose one end by themselves; --wait is for
# those that had not met it yet.
srun --ntasks="$ranks" --wait=20 tacit train "$@" \
  --set roster="$folder/roster" --key "$folder/keys/rank{rank}.key" --output "$folder"
