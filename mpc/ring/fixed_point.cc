#include "mpc/ring/fixed_point.h"

#include <fmt/format.h>

#include <cmath>

namespace tacit::mpc {

namespace {

constexpr double kConstantError = 1.0 / 128;  // relative

void check_format(Format format) {
  TACIT_CHECK(format.ring_bits >= 3 && format.ring_bits <= kWordBits);
  TACIT_CHECK(format.fraction_bits >= 0 && format.fraction_bits < format.ring_bits);
}

std::uint64_t word_of(double units, int ring_bits) {
  return static_cast<std::uint64_t>(std::llrint(units)) & low_bits(ring_bits);
}

}  // namespace

double largest(Format format) {
  check_format(format);
  return std::ldexp(1.0, format.ring_bits - 2 - format.fraction_bits);
}

RingTensor encode(const Matrix& values, Format format, std::string_view what) {
  const double limit = largest(format);
  const double scale = std::ldexp(1.0, format.fraction_bits), most = std::ldexp(1.0, format.ring_bits - 2);
  RingTensor words(shape_of(values), format.ring_bits);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double value = values.data()[i];
    const double units = std::nearbyint(value * scale);
    // Checked after rounding: a value above 2^(k-2) - 1 units might be rounded up to the limit.
    if (!(std::abs(units) < most)) {
      throw ConfigError(
          fmt::format(
              "{}: a value does not fit: with {} fraction bits in a ring of {} bits, values must lie between -{} "
              "and {}. Scale the data, or take a wider ring or fewer fraction bits.",
              what, format.fraction_bits, format.ring_bits, limit, limit),
          fmt::format("it is {} in row {}, column {} of {} (only you see this)", value, i / values.cols(),
                      i % values.cols(), what));
    }
    words.data()[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(units)) & low_bits(format.ring_bits);
  }
  return words;
}

RingTensor encode_public(const Matrix& values, Format format, std::string_view what) {
  RingTensor words = encode(values, format, what);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values.data()[i] == 0 || words.data()[i] != 0) continue;
    throw ConfigError(
        fmt::format("{}: a value would become zero with {} fraction bits; give it more", what, format.fraction_bits),
        fmt::format("it is {} in row {}, column {} of {} (only you see this)", values.data()[i], i / values.cols(),
                    i % values.cols(), what));
  }
  return words;
}

std::uint64_t encode_constant(double value, Format format, std::string_view what) {
  const double limit = largest(format);
  if (!(std::abs(value) < limit)) {
    throw ConfigError(
        fmt::format("{}: the constant {} does not fit {} fraction bits in a ring of {} bits; the limit is {}", what,
                    value, format.fraction_bits, format.ring_bits, limit));
  }
  const double units = std::ldexp(value, format.fraction_bits);
  const double rounded = std::nearbyint(units);
  if (std::abs(rounded - units) > std::abs(units) * kConstantError) {
    throw ConfigError(fmt::format("{}: the constant {} would become {} with {} fraction bits; give it at least {}",
                                  what, value, std::ldexp(rounded, -format.fraction_bits), format.fraction_bits,
                                  6 - std::ilogb(value)));
  }
  return word_of(units, format.ring_bits);
}

Matrix decode(const RingTensor& words, int fraction_bits) {
  Matrix values(words.shape().rows, words.shape().cols);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values.data()[i] = std::ldexp(static_cast<double>(signed_value(words.data()[i], words.bits())), -fraction_bits);
  }
  return values;
}

}  // namespace tacit::mpc
