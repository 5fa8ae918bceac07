#!/usr/bin/env bash
# gpu_check_test.sh SOURCE: tools/gpu-check says in one sentence why it cannot check, and exits 2: on a machine without a
# driver, with a driver and no GPU, and with a GPU and no nvcc. Programs of the test's own play the driver.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
for name in bash dirname sed; do ln -s "$(command -v "$name")" "$folder/bin/$name"; done

expect() {
  local words=$1 code=0 said
  said=$(PATH="$folder/bin" CUDACXX=/nowhere/nvcc "$folder/bin/bash" "$source/tools/gpu-check" --out "$folder/out" 2>&1) || code=$?
  [ "$code" = 2 ] || { echo "exit code $code, not 2: $said" >&2; exit 1; }
  [ "$(wc -l <<<"$said")" = 1 ] || { echo "not one line: $said" >&2; exit 1; }
  [[ "$said" == *"$words"* ]] || { echo "expected '$words', got: $said" >&2; exit 1; }
}

source=$1
expect "this machine has no NVIDIA driver"
printf '#!%s\necho "No devices were found"\nexit 6\n' "$(command -v bash)" >"$folder/bin/nvidia-smi"
chmod +x "$folder/bin/nvidia-smi"
expect "the NVIDIA driver finds no GPU: No devices were found"
printf '#!%s\necho "GPU 0: of a test"\n' "$(command -v bash)" >"$folder/bin/nvidia-smi"
expect "there is no nvcc to compile the kernels with"
