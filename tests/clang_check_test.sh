#!/usr/bin/env bash
# clang_check_test.sh SOURCE: clang_check.py reports code that clang refuses and g++ takes, and skips sources that have an object file.
set -euo pipefail
source=$1
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
command -v clang++ >/dev/null || skip "clang++ is not installed (tools/setup --tests)"

# In one file after the other, as in a unity file: the second one hides a name of the first one.
cat >"$work/hides.cc" <<'TEXT'
namespace example {
namespace {
constexpr int kBits = 1;
}
int bits() { return kBits; }
int hidden() {
  constexpr int kBits = 2;
  return kBits;
}
}  // namespace example
TEXT
echo 'int two() { return 2; }' >"$work/takes.cc"
flags="-std=c++20 -Wshadow -Werror"
# shellcheck disable=SC2086
g++ $flags -fsyntax-only "$work/hides.cc" || fail "g++ refuses hides.cc, too: another example is needed"

{
  echo '['
  for name in takes hides; do
    [ "$name" = takes ] || echo ','
    echo "{\"directory\": \"$work\", \"file\": \"$work/$name.cc\", \"command\": \"clang++ $flags -o $name.o -c $work/$name.cc\"}"
  done
  echo ']'
} >"$work/compile_commands.json"

said=$("$source/tests/clang_check.py" "$work") && fail "a source that clang refuses passed: $said"
grep -q "hides.cc:7.*shadows" <<<"$said" || fail "it does not tell the place: $said"
grep -q "clang takes 1 of 2 sources" <<<"$said" || fail "it counts wrongly: $said"
[ ! -e "$work/takes.o" ] || fail "it made an object"

touch "$work/hides.o"
said=$("$source/tests/clang_check.py" "$work") || fail "a source with an object was checked: $said"
grep -q "clang takes 1 of 1 sources" <<<"$said" || fail "it counts wrongly: $said"
