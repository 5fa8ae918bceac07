// The products of mask bits that a comparison deals, their order, and their expansion at a party.
// Each word holds 64 elements.
//
// A group of s bits deals the product of every non-empty subset of its bits, in the order of the
// subsets' bit masks 1 … 2^s - 1. The carry over m groups deals the following products, in this
// order. First, the product of every non-empty subset of the propagate masks mu_p1 … mu_p(m-1), by
// bit mask. Then, for each k, mu_gk times the product of every subset (including the empty one) of
// mu_p(k+1) … mu_p(m-1), by bit mask.
//
// Papers      Patra and others, ABY2.0, USENIX Security 2021 (products of all subsets of masks; here for n
//             parties and a dealer)
#pragma once

#include <span>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/ring/bit_tensor.h"

namespace tacit::mpc {

using BitPlanes = std::span<const BitTensor>;

constexpr int group_products(int size) { return (1 << size) - 1; }
constexpr int carry_products(int groups) { return (1 << groups) + (1 << (groups - 1)) - 2; }

// The dealt products, from the masks themselves. `products` has a tensor for each.
void make_group_products(BitPlanes mu, std::span<BitTensor> products, Workers& workers);
void make_carry_products(BitPlanes mu_g, BitPlanes mu_p, std::span<BitTensor> products, Workers& workers);

// A party's shares of "c < r" and "c = r". `same` is public: bit j is set if bit j of c is not.
struct GroupShares {
  BitTensor generate;
  BitTensor propagate;
};
GroupShares expand_group(BitPlanes same, BitPlanes dealt, bool first, Workers& workers);

// The party's share of the borrow, from the public deltas of generate (m tensors) and propagate (m
// - 1 tensors, from group 1 on).
BitTensor expand_carry(BitPlanes delta_g, BitPlanes delta_p, BitPlanes dealt, bool first, Workers& workers);

}  // namespace tacit::mpc
