#!/bin/bash
# Stands in for the program gradient_trainer: takes its arguments, trains nothing, and writes a rank's measurements as the
# program does. A file beside it makes it fail: `die` holds the rank that ends with exit code 3, `hang` the rank that never
# ends, `refuse` a sentence that every rank prints before it ends with exit code 2. `diverge` holds "WAY SEED": the training that
# ends in its third iteration, at the last rank, with exit code 2.
here=$(dirname "$0")
declare -A flag
while [ $# -gt 0 ]; do
  case $1 in
    --batch-norm) flag[batch-norm]=1; shift ;;
    --*) flag[${1#--}]=$2; shift 2 ;;
    *) echo "unexpected: $1" >&2; exit 2 ;;
  esac
done
echo "${flag[way]} $RANK of $WORLD_SIZE, bucket ${flag[bucket]:-none}, batch ${flag[batch]}, threads ${flag[threads]}, link ${flag[link]:-none}" >>"$here/calls"
if [ -e "$here/refuse" ]; then echo "gradient_trainer: $(cat "$here/refuse")" >&2; exit 2; fi
if [ -e "$here/die" ] && [ "$(cat "$here/die")" = "$RANK" ]; then echo "rank $RANK: lost" >&2; exit 3; fi
if [ -e "$here/die" ] || { [ -e "$here/hang" ] && [ "$(cat "$here/hang")" = "$RANK" ]; }; then exec sleep 1000; fi
[ -f "${flag[data]}/data_batch_1.bin" ] || { echo "gradient_trainer: ${flag[data]}: no data_batch_1.bin" >&2; exit 2; }
if [ "$WORLD_SIZE" -gt 1 ]; then
  grep -q . "${flag[key]}" && grep -q . "${flag[roster]}" || { echo "no key or roster" >&2; exit 2; }
fi

seed=${flag[seed]} steps=${flag[iterations]}
[ "$steps" -gt 0 ] || steps=10
case ${flag[way]} in
  single) milliseconds=160 sent=0 ;;
  gather-scatter) milliseconds=130 sent=$([ "$RANK" = 0 ] && echo 111000000 || echo 37000000) ;;
  async) milliseconds=80 sent=111000000 ;;
  *) milliseconds=100 sent=55500000 ;;
esac
bytes=$((sent * steps))
[ "${flag[micro-batches]:-1}" -gt 1 ] && parts=${flag[micro-batches]} || parts=$WORLD_SIZE
if [ "$parts" = 1 ] || [ "${flag[way]}" = async ]; then own=${flag[way]}; else own=sum; fi
digest=$(echo "$own $parts $((flag[batch] * WORLD_SIZE)) $seed $steps ${flag[epochs]}" | sha256sum | cut -d' ' -f1)
[ -e "$here/unlike" ] && [ "${flag[way]}" = "$(cat "$here/unlike")" ] && digest=0000$digest

diverged=""
if [ -e "$here/diverge" ] && [ "$(cat "$here/diverge")" = "${flag[way]} $seed" ]; then
  if [ "$RANK" != $((WORLD_SIZE - 1)) ]; then exec sleep 1000; fi
  steps=3 diverged=',"diverged":3'
fi

iterations="" losses="" epochs=""
for ((i = 1; i <= steps; ++i)); do
  time=$((milliseconds + seed)); [ $i -gt 1 ] || time=9000
  printf -v one '{"seconds":%d.%03d,"computing":0.06,"waiting":0.02,"hidden":0.03,"communicating":0.05}' $((time / 1000)) $((time % 1000))
  iterations+=${iterations:+,}$one
done
for i in 20 40; do losses+=${losses:+,}"{\"iteration\":$i,\"loss\":2.$((50 - i / 2 + seed))}"; done
for ((i = 1; i <= flag[epochs]; ++i)); do
  correct=$((30 + 5 * i + 2 * seed - flag[batch] * WORLD_SIZE / 16))
  epochs+=${epochs:+,}"{\"epoch\":$i,\"train_loss\":2.2,\"test_loss\":2.1$((seed)),\"correct\":$correct,\"tested\":100}"
done
cat >"${flag[json]}" <<JSON
{"way":"${flag[way]}","rank":$RANK,"ranks":$WORLD_SIZE,"batch":${flag[batch]},"bucket_bytes":0,"seed":$seed,"staleness":4,"parameters":9231114,"digest":"$digest",
"iterations":[$iterations],"losses":[$losses],"epochs":[$epochs],"wall_seconds":2,"cpu_seconds":1,"resident_bytes":400000000,
"bytes_sent":$bytes,"bytes_received":$bytes,"packets_sent":$((bytes / 1448)),"packets_received":$((bytes / 1448)),"oldest_step":$([ "${flag[way]}" = async ] && echo 3 || echo 0)$diverged}
JSON
[ -z "$diverged" ] || { echo "rank $RANK: the training diverges" >&2; exit 2; }
