// Evaluates a function of one matrix in the clear session and by n parties, and checks that the
// parties take the rounds that the function's card states.
#pragma once

#include <functional>

#include "mpc/session/local.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {

struct Evaluated {
  std::function<Share(Session&, const Share&)> function;
  std::function<std::int64_t(std::int64_t columns)> rounds;  // the card's rounds for two or more parties
};

// The input lies within the function's domain: the clear session must find no range violated.
Matrix in_the_clear(const Evaluated& evaluated, const Matrix& x, Format format);
Matrix by_parties(int parties, const Evaluated& evaluated, const Matrix& x, Format format);

// A column of `count` values, evenly spaced from begin to end (both included) and rounded to
// `fraction_bits`.
Matrix evenly(double begin, double end, std::int64_t count, int fraction_bits);
// The same with logarithmic spacing.
Matrix evenly_by_factor(double begin, double end, std::int64_t count, int fraction_bits);

inline double rounding(int parties) { return std::max(1.0, parties / 2.0); }  // of one drop (truncation), in units
double largest_difference(const Matrix& a, const Matrix& b);

struct Ring {
  int k;
  int f;
};
inline constexpr Ring kRings[] = {{64, 16}, {64, 13}, {56, 13}, {48, 12}};
inline constexpr int kPartyCounts[] = {1, 2, 3, 5};

}  // namespace tacit::mpc
