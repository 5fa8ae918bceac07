// Chi-square: whether counts are those of a uniform draw.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace tacit::mpc {

// How many standard deviations too uneven the counts are (Wilson and Hilferty's normal approximation).
inline double unevenness(const std::vector<std::int64_t>& counts) {
  double all = 0, sum = 0;
  for (const std::int64_t count : counts) all += static_cast<double>(count);
  const double expected = all / static_cast<double>(counts.size());
  for (const std::int64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1, part = 2 / (9 * freedom);
  return (std::cbrt(sum / freedom) - (1 - part)) / std::sqrt(part);
}

// A uniform draw is beyond it once in 10^11.
inline constexpr double kTooUneven = 6.8;

// The 8 bits of each word from bit `at` on.
inline double unevenness_of_bits(const std::vector<std::uint64_t>& words, int at) {
  std::vector<std::int64_t> counts(256);
  for (const std::uint64_t word : words) ++counts[(word >> at) & 255];
  return unevenness(counts);
}

}  // namespace tacit::mpc
