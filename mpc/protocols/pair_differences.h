// pair_differences — the differences of every two columns of a shown value: shown, at no cost.
//
// M_a - M_b + 2^(k-2) is x_a - x_b shown under r_a - r_b. No further value is opened, so the parties see
// nothing new.
//
// Requires    |x_a - x_b| < 2^(k-2) units
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    nothing
// Secure      against anyone: it is local
#pragma once

#include "mpc/session/values.h"

namespace tacit::mpc {

// Columns (0,1), (0,2), … (0,c-1), (1,2), …: the first of each pair minus the second.
Shown pair_differences(const Shown& shown);
constexpr std::int64_t pairs_of(std::int64_t columns) { return columns * (columns - 1) / 2; }
// The column of the pair (a, b), a < b.
constexpr std::int64_t pair_index(std::int64_t a, std::int64_t b, std::int64_t columns) {
  return a * columns - a * (a + 1) / 2 + (b - a - 1);
}

// The differences of a column's elements: row i is element begin + i minus each element from `begin` on. The rows are the
// elements begin … end-1. Shown, at no cost.
Shown differences_from(const Shown& column, std::int64_t begin, std::int64_t end);

}  // namespace tacit::mpc
