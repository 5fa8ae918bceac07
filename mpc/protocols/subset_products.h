// The polynomials of a comparison, 64 elements to the word: which products of mask bits are dealt, in which order, and
// how a party expands with them.
//
// A group of s bits deals the product of every non-empty subset of its bits, subsets in the order of their bit masks
// 1 … 2^s - 1. The carry over m groups deals, in this order: the product of every non-empty subset of the propagate
// masks mu_p1 … mu_p(m-1), by bit mask; then, for each k, mu_gk times the product of every subset (the empty one too)
// of mu_p(k+1) … mu_p(m-1), by bit mask.
#pragma once

#include <span>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/ring/bit_tensor.h"

namespace tacit::mpc {

using BitPlanes = std::span<const BitTensor>;

constexpr int group_products(int size) { return (1 << size) - 1; }
constexpr int carry_products(int groups) { return (1 << groups) + (1 << (groups - 1)) - 2; }

// The dealer's side: what is dealt, appended to `products`.
void append_group_products(BitPlanes mu, std::vector<BitTensor>& products, Workers& workers);
void append_carry_products(BitPlanes mu_g, BitPlanes mu_p, std::vector<BitTensor>& products, Workers& workers);

// A party's side. `same` is public: bit j is set where bit j of c is not. Its shares of "c < r" and "c = r".
struct GroupShares {
  BitTensor generate;
  BitTensor propagate;
};
GroupShares expand_group(BitPlanes same, BitPlanes dealt, bool first, Workers& workers);

// Its share of the borrow, from the public deltas of generate (m of them) and propagate (m - 1: of the groups 1 …).
BitTensor expand_carry(BitPlanes delta_g, BitPlanes delta_p, BitPlanes dealt, bool first, Workers& workers);

}  // namespace tacit::mpc
