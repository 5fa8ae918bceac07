// Products of masks from bits of one factor times words of the other (Gilboa): element by element, summed over rows, and of two
// small matrices (ProductRequest, RowProductRequest, MatrixProductRequest).
//
// Rounds      2
// Sends       n = 2, for each product of two words: k(k+1) bits; and 64k for each word whose bits are bound. Of a matrix product
//             of m×c by c×p, m·c·p products, and the words of the left factor are bound if m <= p, otherwise those of the right one
// Papers      Gilboa, Two Party RSA Key Generation, CRYPTO 1999
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const ProductRequest& request);
std::vector<SharedWords> made(Engine& engine, const RowProductRequest& request);
std::vector<SharedWords> made(Engine& engine, const MatrixProductRequest& request);

// What two parties send each other for this matrix product, in both directions, but for rounding up.
std::int64_t pair_bytes_by_bits(Shape x, Shape y, int bits);

}  // namespace tacit::mpc
