// Fixed point: encode represents real numbers as integers of a ring with a given number of fraction
// bits, decode converts them back.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, kRowAfterRow>;

// The representation of a tensor: its ring Z_2^k and its fraction bits.
struct Format {
  int ring_bits = kWordBits;
  int fraction_bits = 0;

  bool operator==(const Format&) const = default;
};

// The largest magnitude for encode(): below 2^(k-2) units, so that the value can be shown.
double largest(Format format);
inline Shape shape_of(const Matrix& matrix) { return {matrix.rows(), matrix.cols()}; }

// Rounds to the nearest unit. Throws ConfigError for a value that does not fit, or is not a number.
// The message names the limit and `what`. Only the local detail, which stays at this rank, contains
// the value and its position.
RingTensor encode(const Matrix& values, Format format, std::string_view what);

// The same for public values. Also refuses a non-zero value that would become zero.
RingTensor encode_public(const Matrix& values, Format format, std::string_view what);

// Encodes a public constant factor. Throws ConfigError if the constant would become zero (a
// learning rate of 1e-5 at 13 fraction bits), if its relative error exceeds 1/128, or if it does
// not fit.
std::uint64_t encode_constant(double value, Format format, std::string_view what);

Matrix decode(const RingTensor& words, int fraction_bits);

}  // namespace tacit::mpc
