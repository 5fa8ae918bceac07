#!/usr/bin/env bash
# slurm.sh: starts a job under Slurm, one task for each rank. A dealer is the last rank. All arguments go to every rank.
#
#   sbatch --ntasks=4 slurm.sh sensors.toml
#
# The same command again resumes from the newest checkpoint. The first start makes keys and roster in the run's folder,
# which all nodes see. A reader of this folder could learn all data, so use this script to try a job or to measure. In
# production, each party's own machine starts its rank, with a key that never leaves the machine.
#SBATCH --job-name=tacit
#SBATCH --ntasks=4             # the job's parties, and the dealer if it has one
#SBATCH --cpus-per-task=2
#SBATCH --time=01:00:00        # at the limit the ranks end with exit code 143; resume as above
#SBATCH --output=tacit-%j.log
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: sbatch --ntasks=RANKS slurm.sh JOB [options of tacit train]" >&2; exit 2; }

ranks=$SLURM_NTASKS
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

# Rank 0 runs on the first node, where the other ranks look for it. Two jobs may share that node, so the port differs by job.
export MASTER_PORT=${MASTER_PORT:-$((20000 + SLURM_JOB_ID % 10000))}
# Since Slurm 22.05, srun does not take the number of processors from sbatch.
if [ -n "${SLURM_CPUS_PER_TASK:-}" ]; then export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK; fi
# srun is necessary, because this script runs as one task. A rank that loses a peer ends by itself; --wait ends ranks that
# had not met the peer yet.
srun --ntasks="$ranks" --wait=20 tacit train "$@" \
  --set roster="$folder/roster" --key "$folder/keys/rank{rank}.key" --output "$folder"
