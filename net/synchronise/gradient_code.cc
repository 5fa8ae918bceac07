#include "net/synchronise/gradient_code.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "net/error.h"

namespace tacit::net {

namespace {

constexpr std::int64_t kHalf = std::int64_t{1} << 31;

// Adding this number to a double rounds it to a whole number (to even if it lies between two), and
// leaves its low 32 bits, in two's complement, in the low bits of the double. Unlike lrint, the
// compiler vectorises it for every processor.
constexpr double kRound = 6755399441055744.0;  // 1.5 · 2^52

// Positive floats are ordered as their bits are, and infinities and NaNs come last.
std::int32_t magnitude_bits(float value) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(value) & 0x7fffffffU);
}

std::uint32_t rounded(float value, double units) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(static_cast<double>(value) * units + kRound));
}

std::uint32_t load_word(const std::byte* from) {
  std::uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// The values are checked and converted in one pass: a second pass would read the memory again.
template <bool kAdd>
bool convert(const float* __restrict from, std::byte* __restrict to, std::size_t count, std::int32_t most, double units,
             std::uint32_t bias) {
  std::int32_t too_large = 0;
  for (std::size_t i = 0; i < count; ++i) {
    too_large |= magnitude_bits(from[i]) > most ? 1 : 0;
    std::uint32_t word = rounded(from[i], units) + bias;
    if constexpr (kAdd) word += load_word(to + i * GradientCode::kBytes);
    std::memcpy(to + i * GradientCode::kBytes, &word, sizeof word);
  }
  return too_large == 0;
}

template <bool kAdd>
std::optional<std::size_t> checked(std::span<const float> from, Bytes to, float largest, double units,
                                   std::uint32_t bias) {
  TACIT_CHECK(from.size_bytes() == to.size());
  const std::int32_t most = magnitude_bits(largest);
  if (convert<kAdd>(from.data(), to.data(), from.size(), most, units, bias)) return std::nullopt;
  std::size_t first = 0;
  while (magnitude_bits(from[first]) <= most) ++first;
  return first;
}

template <bool kAdd>
std::optional<std::size_t> checked(std::span<const std::int32_t> from, Bytes to, std::int32_t most,
                                   std::uint32_t bias) {
  TACIT_CHECK(from.size_bytes() == to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] > most || from[i] < -most) return i;
    std::uint32_t word = static_cast<std::uint32_t>(from[i]) + bias;
    if constexpr (kAdd) word += load_word(to.data() + i * GradientCode::kBytes);
    std::memcpy(to.data() + i * GradientCode::kBytes, &word, sizeof word);
  }
  return std::nullopt;
}

// The largest float that is at most `value`.
float rounded_down(double value) {
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) <= value ? nearest : std::nextafter(nearest, 0.0F);
}

}  // namespace

GradientCode::GradientCode(std::int64_t contributions, int fraction_bits) : contributions_(contributions) {
  if (fraction_bits < 0 || fraction_bits > kMostFractionBits) {
    throw ConfigError(fmt::format("gradients with {} fraction bits: give 0 to {}", fraction_bits, kMostFractionBits));
  }
  if (contributions < 1 || kHalf / contributions < 2) {
    throw ConfigError(
        fmt::format("{} contributions to a sum of gradients: the ranks times the parts of each must be 1 to {}",
                    contributions, kHalf / 2));
  }
  bias_ = static_cast<std::uint32_t>(kHalf / contributions);
  units_ = std::ldexp(1.0, fraction_bits);
  largest_ = rounded_down((static_cast<double>(bias_) - 1) / units_);
}

std::optional<std::size_t> GradientCode::encode(std::span<const float> gradients, Bytes words) const {
  return checked<false>(gradients, words, largest_, units_, bias_);
}

std::optional<std::size_t> GradientCode::add(std::span<const float> gradients, Bytes sums) const {
  return checked<true>(gradients, sums, largest_, units_, bias_);
}

std::optional<std::size_t> GradientCode::encode(std::span<const std::int32_t> units, Bytes words) const {
  return checked<false>(units, words, largest_units(), bias_);
}

std::optional<std::size_t> GradientCode::add(std::span<const std::int32_t> units, Bytes sums) const {
  return checked<true>(units, sums, largest_units(), bias_);
}

void GradientCode::mean(ConstBytes sums, std::span<float> means) const {
  TACIT_CHECK(sums.size() == means.size_bytes());
  const std::uint32_t biases = bias_ * static_cast<std::uint32_t>(contributions_);
  const double unit = 1 / (units_ * static_cast<double>(contributions_));
  const std::byte* __restrict from = sums.data();
  float* __restrict to = means.data();
  for (std::size_t i = 0; i < means.size(); ++i) {
    to[i] = static_cast<float>(static_cast<double>(static_cast<std::int32_t>(load_word(from + i * kBytes) - biases)) *
                               unit);
  }
}

}  // namespace tacit::net
