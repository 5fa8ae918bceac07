// GradientCode represents gradients as words of 32 bits (fixed point), so that their sum is exact
// and equal in every order of addition.
//
// A gradient g becomes round(g · 2^f) + b, with the bias b = floor(2^31 / contributions). The word
// of each contribution lies between 1 and 2b-1, so no sum reaches 2^32. Two words can therefore
// share a word of 64 bits (the low half is the first): no carry goes from one into the other. Words are
// bytes here, because the collectives see them as words of 64 bits.
//
// Range       |g| · 2^f <= b - 1. A larger value, an infinity or a NaN is refused
// Error       half a unit, 2^-(f+1), for each contribution; the sum is exact
// Mean        sum / contributions, computed in double precision and rounded to float once
// Speed       near the memory's: the loops have no branches and the compiler vectorises them
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "net/channel.h"

namespace tacit::net {

class GradientCode {
 public:
  static constexpr std::size_t kBytes = sizeof(std::uint32_t);
  static constexpr int kMostFractionBits = 30;

  // Throws ConfigError unless 0 <= fraction_bits <= kMostFractionBits, and unless at least one
  // unit of range is left for this number of contributions.
  GradientCode(std::int64_t contributions, int fraction_bits);

  // The largest magnitude of a gradient.
  float largest() const { return largest_; }
  std::int32_t largest_units() const { return static_cast<std::int32_t>(bias_ - 1); }
  std::int64_t contributions() const { return contributions_; }

  // Writes, or adds to, a word of kBytes for each gradient. Returns the place of the first value that
  // does not fit, or nothing. After a refusal the words are undefined.
  [[nodiscard]] std::optional<std::size_t> encode(std::span<const float> gradients, Bytes words) const;
  [[nodiscard]] std::optional<std::size_t> add(std::span<const float> gradients, Bytes sums) const;
  // The same for gradients in whole units of 2^-fraction_bits, which are not rounded again.
  [[nodiscard]] std::optional<std::size_t> encode(std::span<const std::int32_t> units, Bytes words) const;
  [[nodiscard]] std::optional<std::size_t> add(std::span<const std::int32_t> units, Bytes sums) const;

  // The mean of all contributions, from their sum.
  void mean(ConstBytes sums, std::span<float> means) const;

 private:
  std::int64_t contributions_;
  std::uint32_t bias_;
  double units_;  // 2^f, the number of units in 1
  float largest_;
};

}  // namespace tacit::net
