#!/usr/bin/env bash
# fuzzers_test.sh SOURCE FOLDER PROGRAMS: clang builds the libFuzzer programs in FOLDER, and each
# survives 2,000 inputs. PROGRAMS contains the programs that write the seeds: the same targets
# without libFuzzer. Exit code 77: no libFuzzer, or TACIT_LIBFUZZER=no: the build takes minutes.
set -euo pipefail
source=$1 folder=$2 programs=$3
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
[ "${TACIT_LIBFUZZER:-}" != no ] || skip "TACIT_LIBFUZZER=no"
command -v clang++ >/dev/null || skip "clang++ is not installed (tools/setup --tests)"
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$work/empty.cc"
clang++ -fsanitize=fuzzer,address,undefined "$work/empty.cc" -o "$work/empty" >/dev/null 2>&1 ||
  skip "clang++ links no libFuzzer: libclang-rt-14-dev is not installed (tools/setup --tests)"

quietly "cmake configures no build with clang" cmake -S "$source" -B "$folder" -G Ninja -DTACIT_FUZZ=ON -DTACIT_BENCH=OFF \
  -DTACIT_CUDA=OFF -DTACIT_FORMAT_CHECK=OFF -DCMAKE_CXX_COMPILER=clang++
quietly "a libFuzzer program does not compile or link" cmake --build "$folder" --target fuzzers
built=$SECONDS

run=0
for program in "$folder"/tests/fuzz/*_fuzz; do
  name=$(basename "$program")
  quietly "$name writes no seeds" "$programs/$name" --write-seeds "$work/$name"
  quietly "$name fails at an input" timeout 60 "$program" -runs=2000 -max_total_time=5 -seed=1 \
    -artifact_prefix="$work/" "$work/$name"
  run=$((run + 1))
done
[ "$run" -ge 19 ] || fail "only $run programs were built"
echo "fuzzers_test: $run programs; built after $built s, run after $SECONDS s"
