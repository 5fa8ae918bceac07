// selected_outer — [b·x·y] of a column x and a row y, chosen by bits: the gradient that a layer with one output passes back
// through a ReLU (multiplexer of an outer product).
//
//   c = b·y                        select, by the bits that the ReLU has
//   open x and c under masks       show, in one round
//   b·x·y = x·c                    lifted_product, in a ring that the next product needs
//
// The way by x·y takes three openings: x under a mask, x·y, and its selection. Here x·y is not opened, and a selection of y,
// which is narrow, replaces it.
//
// Requires    |x| < 2^(k-2), |y| < 2^(l-2) units, with k the ring of x, and l <= the ring of y; k, l < K; b·x·y in Z_2^K
// Reveals     nothing
// Rounds      1
// Sends       l bits an element of the result and k for each row, to each peer (two-phase: 2(n-1)/n of it in all)
// Consumes    for each row 2(K-k) bits; for each element of the result l + K + (K-k) + 3(K-l) + max(0, K-k-l), and l more if
//             the bits have not selected yet
// Secure      as the protocols: every opened word is under a mask of its own. y keeps the mask that it has, since a masked value
//             takes part in any number of products
#pragma once

#include <span>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

struct SelectedOuter {
  Share product;  // in Z_2^K, with the fraction bits of both
  Shown column;   // x
  std::vector<Shown> others;
};

// `row_ring` is l, `ring_bits` is K. `others` are shown in the same round.
SelectedOuter selected_outer(Session& session, const Bits& bits, const Share& column, const Masked& row, int row_ring,
                             int ring_bits, std::span<const Share> others = {});

}  // namespace tacit::mpc
