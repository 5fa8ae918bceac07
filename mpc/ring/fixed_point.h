// Fixed point: a real number as an integer of so many fraction bits, in a ring.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, kRowAfterRow>;

// How a tensor is represented: its ring Z_2^k and its fraction bits.
struct Format {
  int ring_bits = kWordBits;
  int fraction_bits = 0;

  bool operator==(const Format&) const = default;
};

// The largest magnitude that encode() takes: below 2^(k-2) units, so that the value can be shown.
double largest(Format format);
inline Shape shape_of(const Matrix& matrix) { return {matrix.rows(), matrix.cols()}; }

// Rounds to the nearest unit. Throws ConfigError for a value that does not fit, or is not a number: it names the limit
// and `what`, and in its local detail, which stays at this rank, the value and its place.
RingTensor encode(const Matrix& values, Format format, std::string_view what);

// The same for what the program knows in public: it also refuses a value that is not zero but would become it.
RingTensor encode_public(const Matrix& values, Format format, std::string_view what);

// A constant that the program multiplies by. Throws ConfigError where it would be lost (a learning rate of 1e-5 is zero
// at 13 fraction bits), be off by a hundredth, or not fit.
std::uint64_t encode_constant(double value, Format format, std::string_view what);

Matrix decode(const RingTensor& words, int fraction_bits);

}  // namespace tacit::mpc
