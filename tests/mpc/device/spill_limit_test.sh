#!/usr/bin/env bash
# spill_limit_test.sh LAUNCHER: the launcher of nvcc refuses kernels that spill too much, and passes on everything else.
set -euo pipefail
launcher=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../../shell.sh"

# nvcc SPILLED CODE: prints the lines of ptxas for two kernels, and ends with CODE.
cat >"$work/nvcc" <<'END'
#!/usr/bin/env bash
[ "${*: -2}" = "-Xptxas -v" ] || exit 9
cat >&2 <<TEXT
x.cu(3): warning: a warning
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'small' for 'sm_80'
ptxas info    : Function properties for small
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
ptxas info    : Function properties for large
    64 bytes stack frame, $1 bytes spill stores, 8 bytes spill loads
TEXT
exit "$2"
END
chmod +x "$work/nvcc"

expect() { # CODE LINES SPILLED NVCC-CODE
  local code=0
  "$launcher" 400 "$work/nvcc" "$3" "$4" 2>"$work/said" || code=$?
  [ "$code" -eq "$1" ] && [ "$(wc -l <"$work/said")" -eq "$2" ] && return
  echo "spilled $3, nvcc's code $4: code $code, expected $1; said:" >&2
  cat "$work/said" >&2
  exit 1
}
expect 0 1 400 0
expect 1 2 404 0
grep -q "^large: 404 bytes" "$work/said"
expect 2 1 0 2
expect 2 2 404 2
