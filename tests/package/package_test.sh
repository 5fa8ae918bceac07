#!/usr/bin/env bash
# package_test.sh BUILD SOURCE COMPILER [PREFIX]: the result of `cmake --install` in BUILD suffices
# for another program. The test installs and moves it, or takes it from PREFIX, and inspects it;
# examples/own_data is built against it; two parties and a dealer, each a process of that program,
# train with keys of the installed command. The test always removes its files and processes.
set -euo pipefail

build=$1 source=$2 compiler=$3
parties=2
limit=60  # seconds, for a rank
most=0.2  # limit of the final error: without edges, or with the other rank's number, it is 0.5
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
package=${4:-$work/moved}
declare -A rank_of=()  # the running processes

cleanup() {
  [ ${#rank_of[@]} -eq 0 ] || kill -KILL "${!rank_of[@]}"
  wait
}

install_and_move() {
  quietly "it cannot be installed" cmake --install "$build" --prefix "$work/installed"
  mv "$work/installed" "$package"
}

expect_no_folder_of_ours() {
  local folder found
  for folder in "$source" "$build" "$work"; do
    found=$(grep -rlF "$folder" "$package" || true)
    [ -z "$found" ] || fail "installed files name $folder, which is nowhere on another machine: $found"
  done
}

# All headers that installed headers include are installed, part of the language, or Eigen, which
# the package finds.
expect_whole_headers() {
  local header name missing
  cd "$package/include/tacit"
  for header in "$source"/tacit/*.h; do
    cmp "$header" "tacit/$(basename "$header")" || fail "$header is not installed"
  done
  while IFS=: read -r header name; do
    [ -e "$name" ] || [ -e "$(dirname "$header")/$name" ] || fail "$header includes $name, which is not installed"
  done < <(grep -ro '^ *# *include "[^"]*' --include='*.h' . | sed 's/:.*"/:/')
  missing=$(grep -rE '^ *# *include <[^>]*/' . | grep -vE '<(Eigen|sys)/' || true)
  [ -z "$missing" ] || fail "an installed header needs more than the package finds: $missing"
  [ -z "$(find . -type f ! -name '*.h')" ] || fail "more than headers is installed in include/"
  cd "$work"
}

# Made data, baselines and tables are the command's alone.
expect_no_laboratory() {
  local found
  [ ! -e "$package/include/tacit/bench" ] || fail "headers of bench/ are installed"
  found=$(find "$package" -name '*.a' -exec grep -lE 'make_sensors|gaussian_process' {} + || true)
  [ -z "$found" ] || fail "an installed library holds code of bench/: $found"
}

# A shared library, as a module of Python is, can hold the installed libraries.
expect_position_independent_code() {
  local archives
  archives=$(find "$package" -name '*.a')
  # shellcheck disable=SC2086
  quietly "the libraries make no shared library" "$compiler" -shared -o "$work/all.so" -Wl,--whole-archive $archives \
    -Wl,--no-whole-archive
}

# The installed manual and completion come from this command, not from one that was built before it.
expect_own_manual() {
  "$package/bin/tacit" manual >"$work/manual"
  zcat "$package/share/man/man1/tacit.1.gz" | cmp - "$work/manual" || fail "the manual is not the command's"
  "$package/bin/tacit" completion bash >"$work/completion"
  cmp "$package/share/bash-completion/completions/tacit" "$work/completion" || fail "the completion is not the command's"
}

# The READMEs to which the command, or another README, sends a user.
expect_readmes() {
  local file
  for file in README.md SECURITY.md CHANGELOG.md docs/how-it-works.md docs/guide/data.md docs/pictures/parties.svg launcher/README.md \
      gnn/README.md gnn/data/README.md; do
    cmp "$source/$file" "$package/share/doc/tacit/$file" || fail "the installed $file differs"
  done
}

# build_against_package FOLDER …: in $work/NAME of the folder.
build_against_package() {
  local folder built
  for folder in "$@"; do
    built=$work/$(basename "$folder")
    quietly "$folder finds no package" cmake -S "$source/$folder" -B "$built" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_PREFIX_PATH="$package" -DCMAKE_CXX_COMPILER="$compiler"
    quietly "$folder does not compile" cmake --build "$built"
  done
}

make_keys_and_roster() {
  local rank roles=()
  for ((rank = 0; rank <= parties; ++rank)); do
    quietly "no key could be made" "$package/bin/tacit" keys new "$work/rank$rank.key"
    if ((rank < parties)); then roles+=(--party); else roles+=(--dealer); fi
    roles+=("$("$package/bin/tacit" keys show "$work/rank$rank.key" | head -n 1)")
  done
  "$package/bin/tacit" keys roster "${roles[@]}" >"$work/roster"
}

start_ranks() {
  local rank
  # setpriv: if this script is killed, its ranks end with it.
  local mortal=(setpriv --pdeathsig KILL)
  export WORLD_SIZE=$((parties + 1)) MASTER_ADDR=127.0.0.1 MASTER_PORT
  MASTER_PORT=$(free_port)
  for ((rank = 0; rank <= parties; ++rank)); do
    RANK=$rank "${mortal[@]}" timeout "$limit" "${mortal[@]}" "$work/own_data/train_own_data" "$work/rank$rank.key" \
      "$work/roster" >"$work/out$rank" 2>"$work/err$rank" &
    rank_of[$!]=$rank
  done
}

wait_for_ranks() {
  local pid code rank
  while [ ${#rank_of[@]} -gt 0 ]; do
    code=0
    wait -n -p pid "${!rank_of[@]}" || code=$?
    rank=${rank_of[$pid]}
    unset "rank_of[$pid]"
    [ "$code" -eq 0 ] || fail "rank $rank failed with exit code $code (124: after $limit s): $(cat "$work/err$rank")"
  done
}

# The parties report the same error, the dealer none.
expect_training() {
  local rmse
  rmse=$(sed -n 's/^test rmse //p' "$work/out0")
  [[ $rmse =~ ^0\.[0-9]+$ ]] && awk "BEGIN { exit !($rmse < $most) }" ||
    fail "rank 0 says that the test rmse is '$rmse', expected less than $most"
  cmp "$work/out0" "$work/out1" || fail "rank 1 printed something else than rank 0: $(cat "$work/out1")"
  [ ! -s "$work/out2" ] || fail "the dealer printed something: $(cat "$work/out2")"
  echo "test rmse $rmse, after $SECONDS s"
}

[ $# -ge 4 ] || install_and_move
expect_no_folder_of_ours
expect_whole_headers
expect_no_laboratory
expect_position_independent_code
expect_own_manual
expect_readmes
build_against_package examples/own_data
if [ $# -lt 4 ]; then  # the Debian package has the same headers and libraries
  build_against_package tests/package/other_options
  quietly "a program with other compile options fails" "$work/other_options/exchange_matrices"
  quietly "a program of the public headers fails" "$work/other_options/public_headers"
fi
make_keys_and_roster
start_ranks
wait_for_ranks
expect_training
