// The pattern of a column: the bits of its comparisons with all other columns, as a number (see winner.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "mpc/protocols/pair_differences.h"
#include "mpc/ring/bit_tensor.h"

namespace tacit::mpc {

constexpr std::int64_t patterns_of(std::int64_t columns) { return std::int64_t{1} << (columns - 1); }

// The bits of column a of a row against the other columns, in their order; the first is the
// highest.
inline std::int64_t pattern_of(const BitTensor& pairs, std::int64_t row, std::int64_t a, std::int64_t columns) {
  std::int64_t pattern = 0;
  for (std::int64_t b = 0; b < columns; ++b) {
    if (b == a) continue;
    const std::int64_t pair = pair_index(std::min(a, b), std::max(a, b), columns);
    pattern = 2 * pattern + (pairs.at(row * pairs_of(columns) + pair) ? 1 : 0);
  }
  return pattern;
}

// The pattern of a column that wins: not set against the `a` columns before it, set against those
// after it.
constexpr std::int64_t winning_pattern(std::int64_t a, std::int64_t columns) { return patterns_of(columns - a) - 1; }

}  // namespace tacit::mpc
