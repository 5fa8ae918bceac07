// Chi-square test: do the counts fit a uniform draw?
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "mpc/ring/ring.h"

namespace tacit::mpc {

// The unevenness of the counts in standard deviations (Wilson and Hilferty's normal approximation).
inline double unevenness(const std::vector<std::int64_t>& counts) {
  double all = 0, sum = 0;
  for (const std::int64_t count : counts) all += static_cast<double>(count);
  const double expected = all / static_cast<double>(counts.size());
  for (const std::int64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1, part = 2 / (9 * freedom);
  return (std::cbrt(sum / freedom) - (1 - part)) / std::sqrt(part);
}

// A uniform draw exceeds this once in 10^11.
inline constexpr double kTooUneven = 6.8;

// Tests `bits` bits of each word, from bit `at` on.
inline double unevenness_of_bits(const std::vector<std::uint64_t>& words, int at, int bits = 8) {
  std::vector<std::int64_t> counts(std::size_t{1} << bits);
  for (const std::uint64_t word : words) ++counts[(word >> at) & low_bits(bits)];
  return unevenness(counts);
}

// The worst result over all bits of such words. Reads at most 8 bits at a time, and so few that every
// count has ten words on average.
inline double unevenness_of_words(const std::vector<std::uint64_t>& words, int bits) {
  TACIT_CHECK(words.size() >= 160);  // fewer words prove nothing
  const int most = std::min(8, static_cast<int>(std::bit_width(words.size() / 10)) - 1), window = std::min(bits, most);
  double worst = unevenness_of_bits(words, bits - window, window);
  for (int at = 0; at + window < bits; at += window) worst = std::max(worst, unevenness_of_bits(words, at, window));
  return worst;
}

}  // namespace tacit::mpc
