// The ring Z_2^k of whole numbers modulo 2^k, and the shape of a matrix.
#pragma once

#include <cstdint>

#include "net/error.h"

namespace tacit::mpc {

inline constexpr int kWordBits = 64;

// A mask of the k low bits of a word.
constexpr std::uint64_t low_bits(int k) { return k == 0 ? 0 : ~std::uint64_t{0} >> (kWordBits - k); }

// The element of Z_2^k as a signed number, between -2^(k-1) and 2^(k-1) - 1.
constexpr std::int64_t signed_value(std::uint64_t word, int k) {
  return static_cast<std::int64_t>(word << (kWordBits - k)) >> (kWordBits - k);
}

struct Shape {
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  constexpr std::int64_t size() const { return rows * cols; }
  constexpr Shape transposed() const { return {cols, rows}; }
  bool operator==(const Shape&) const = default;
};

}  // namespace tacit::mpc
