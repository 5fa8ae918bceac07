// Blocks — a matrix product as products of polynomials: how blocks of the matrices lie in the coefficients.
//
// L (m × c) times R (c × p) is cut into blocks of mw × cw and cw × pw with mw·cw·pw <= N. In a block,
//
//   L = sum of L_vj X^(v + mw·j),   R = sum of R_jh X^(mw·(cw·h + cw-1 - j)),
//
// and the coefficient of X^(v + mw·(cw·h + cw-1)) of L·R mod X^N + 1 is the sum of L_vj·R_jh over j. Powers beyond X^N come back
// below X^(mw·(cw-1)), where no result lies.
// Papers      Huang and others, Cheetah, USENIX Security 2022, and Hao and others, Iron, NeurIPS 2022, have such layouts
#pragma once

#include <vector>

#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc::lattice {

struct ProductSize {
  std::int64_t m = 0, c = 0, p = 0;
  bool operator==(const ProductSize&) const = default;
  std::int64_t volume() const { return m * c * p; }
};

struct Blocks {
  ProductSize size, width;

  ProductSize count() const;
  // Coefficients of a block that may differ from zero: the lowest.
  std::int64_t left_length() const { return width.m * width.c; }
  std::int64_t right_length() const { return width.m * width.c * width.p; }

  // Writes the coefficients of a block, reduced to `bits` bits, and zeros up to the length.
  void left(RingView l, std::int64_t x, std::int64_t t, int bits, std::uint64_t* out) const;
  void right(RingView r, std::int64_t t, std::int64_t y, int bits, std::uint64_t* out) const;

  // The rows and columns of the result in block (x, y), and their coefficients, row after row.
  ProductSize part(std::int64_t x, std::int64_t y) const;  // m: rows, p: columns
  std::vector<std::int64_t> wanted(std::int64_t x, std::int64_t y) const;
};

}  // namespace tacit::mpc::lattice
