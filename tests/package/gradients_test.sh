#!/usr/bin/env bash
# gradients_test.sh BUILD SOURCE COMPILER: examples/gradients, built against the installed package and libtorch, trains
# with two processes over TLS. Both end with the same weights, and with a model that has learnt. Skipped without libtorch.
set -euo pipefail

build=$1 source=$2 compiler=$3
parties=2
limit=60    # seconds, for a rank
least=0.85  # accuracy: 0.63 of the points have the more frequent label
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
package=$work/installed
ranks=()

cleanup() {
  [ ${#ranks[@]} -eq 0 ] || kill -KILL "${ranks[@]}"
  wait
}

"$compiler" -E -x c++ - >/dev/null 2>&1 <<'TEXT' || skip "libtorch was not found (Debian's libtorch-dev)"
#if !__has_include(<torch/csrc/api/include/torch/torch.h>)
#error
#endif
TEXT

quietly "tacit cannot be installed" cmake --install "$build" --prefix "$package"
quietly "the example finds no package" cmake -S "$source/examples/gradients" -B "$work/gradients" -G Ninja \
  -DCMAKE_PREFIX_PATH="$package" -DCMAKE_CXX_COMPILER="$compiler"
quietly "the example does not compile" cmake --build "$work/gradients"

roster=()
for ((rank = 0; rank < parties; ++rank)); do
  quietly "no key could be made" "$package/bin/tacit" keys new "$work/rank$rank.key"
  roster+=(--party "$("$package/bin/tacit" keys show "$work/rank$rank.key" | head -n 1)")
done
"$package/bin/tacit" keys roster "${roster[@]}" >"$work/roster"

export WORLD_SIZE=$parties MASTER_ADDR=127.0.0.1 MASTER_PORT OMP_NUM_THREADS=1
MASTER_PORT=$(free_port)
for ((rank = 0; rank < parties; ++rank)); do
  RANK=$rank timeout "$limit" "$work/gradients/train_together" "$work/rank$rank.key" "$work/roster" \
    >"$work/out$rank" 2>"$work/err$rank" &
  ranks+=($!)
done
for ((rank = 0; rank < parties; ++rank)); do
  wait "${ranks[rank]}" || fail "rank $rank failed (124: after $limit s): $(cat "$work/err$rank")"
done
ranks=()

accuracy=$(sed -n 's/^accuracy \(0\.[0-9]*\), sum of weights [0-9.]*$/\1/p' "$work/out0")
[ -n "$accuracy" ] && awk "BEGIN { exit !($accuracy > $least) }" ||
  fail "rank 0 says '$(cat "$work/out0")', expected an accuracy above $least"
cmp "$work/out0" "$work/out1" || fail "rank 1 ended with other weights: $(cat "$work/out1")"
echo "$(cat "$work/out0"), after $SECONDS s"
