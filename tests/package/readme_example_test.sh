#!/usr/bin/env bash
# readme_example_test.sh SOURCE: the example in gnn/README.md equals the tested program, line by
# line.
set -euo pipefail

example=examples/own_data/train_own_data.cc
cd "$1"
if ! diff --unified=0 --label "$example, as gnn/README.md shows it" --label "$example" \
  <(awk -v begin="<!-- $example -->" '$0 == begin { ours = 1 } /^```$/ { ours = shown = 0 } shown
      ours && /^```cpp$/ { shown = 1 }' gnn/README.md) "$example"; then
  echo "readme_example_test: gnn/README.md shows another program than $example (above); copy the file into it" >&2
  exit 1
fi
