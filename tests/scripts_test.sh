#!/usr/bin/env bash
# scripts_test.sh SOURCE: shellcheck has nothing to warn of in any of our scripts. Exit code 77: there is no shellcheck.
set -euo pipefail
cd "$1"
if ! command -v shellcheck >/dev/null; then
  echo "scripts_test: skipped: shellcheck is not installed (tools/setup --tests)"
  exit 77
fi
mapfile -t scripts < <(grep -lrE '^#!.*\b(ba)?sh$' .ci tools tests bench)
[ "${#scripts[@]}" -gt 10 ] || { echo "scripts_test: hardly a script was found: ${scripts[*]}" >&2; exit 1; }
shellcheck --severity=warning --external-sources "${scripts[@]}"
