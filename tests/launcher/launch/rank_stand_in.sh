#!/usr/bin/env bash
# rank_stand_in.sh train JOB --rank R ... --output DIR: runs DIR/script<R> if it exists, and ends
# like a trained rank. DIR/started gets a line "R PID LAUNCH ARGUMENTS" each time.
set -eu
words="$*"
while [ $# -gt 0 ]; do
  case "$1" in
    --rank) rank=$2 ;;
    --output) output=$2 ;;
  esac
  shift
done
mkdir -p "$output/rank$rank"
echo "$rank $$ ${TACIT_LAUNCHED:-none} $words" >>"$output/started"
echo "training"
# shellcheck source=/dev/null
if [ -e "$output/script$rank" ]; then . "$output/script$rank"; fi
cat >"$output/rank$rank/summary.json" <<END
{"rank": $rank, "epochs": 5, "seconds": 1.5, "cpu_seconds": 0.5, "peak_memory": 12000000,
 "readings": [{"what": "test rmse", "value": 11.52, "to": "everyone"}], "reveals": [],
 "measured": {"rounds": 7, "total": {"payload_sent": 2000000, "payload_received": 1000000}}}
END
