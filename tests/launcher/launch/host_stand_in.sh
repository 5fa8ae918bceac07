#!/usr/bin/env bash
# host_stand_in.sh: the tacit command on a host. The key is a file; `train` and `serve` leave the account of a trained
# rank.
set -eu
case "$1 ${2:-}" in
  "keys new") echo key >"$3" ;;
  "keys show") sha256sum <<<"$PWD" | cut -c 1-64 ;;
  train* | serve*)
    echo "$*" >arguments
    while [ $# -gt 0 ]; do
      [ "$1" != --rank ] || rank=$2
      [ "$1" != --output ] || output=$2
      shift
    done
    mkdir -p "$output/rank$rank/checkpoints"
    cd "$output/rank$rank"
    echo '{"event":"epoch","epoch":5,"loss":0.5}' >events.jsonl
    echo "{\"rank\": $rank, \"epochs\": 5}" >summary.json
    echo secret >storage.key
    ;;
esac
