#!/usr/bin/env bash
# longest_tests_test.sh SOURCE: longest_tests.py orders the tests of a log, and lists the tests near their limit.
set -euo pipefail
source=$1
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"

{
  echo "Start testing: Nov 29 06:00 UTC"
  for line in "short 0.50" "near 21.00" "far 199.00"; do
    read -r name seconds <<<"$line"
    printf '1/3 Testing: %s\n1/3 Test: %s\nCommand: "%s"\nOutput:\nTest: no name\nTest time =   %s sec\n----\nTest Passed.\n' \
      "$name" "$name" "$name" "$seconds"
  done
} >"$work/LastTest.log"
limit() { echo "{\"name\": \"$1\", \"properties\": [{\"name\": \"LABELS\", \"value\": [\"net\"]}, {\"name\": \"TIMEOUT\", \"value\": $2.0}]}"; }
told=$("$source/tests/longest_tests.py" "$work/LastTest.log" <<<"{\"tests\": [$(limit short 60), $(limit near 60), $(limit far 600)]}")
expected="The longest of 3 tests, which took 220 s one after the other:
   199.0 s  far
    21.0 s  near  near its limit of 60 s: shorten it
     0.5 s  short"
[ "$told" = "$expected" ] || fail "it tells: $told"
