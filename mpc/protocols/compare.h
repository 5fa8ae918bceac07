// compare — non_negative compares a shown value with a public threshold (most significant bit, DReLU):
// the masked bit <x >= at>, exactly.
//
// With c = M - 2^(k-2) - at = x - at + r mod 2^k, bit hi-1 of x - at is the XOR of bit hi-1 of c, bit
// hi-1 of r, and the borrow of c - r from the lower bits. The borrow takes two steps. The lower bits are
// cut into m groups, low to high. In each group, "c < r" (generate) and "c = r" (propagate) are
// polynomials in the bits of r; the products of subsets of these bits are dealt. Both are opened under fresh mask
// bits, and borrow = xor_k g_k prod_{j>k} p_j is expanded in the same way.
//
// Comparisons of one shown value with several thresholds differ only in c, which is public, and share
// the dealt bits of r. Each comparison opens its results under mask bits of its own, so the opened bits
// stay uniform and independent.
//
// A comparison may ignore the `low` lowest bits. Then the bit is still set for every x >= at, but it may also be set for an x
// less than 2^low units below. Fewer bits are opened and dealt.
//
// A third round, with groups of two bits first, would deal 61 fewer of 201 bits (hi = 26) and send 20
// more to every peer. It is not implemented.
//
// Requires    |x - at| < 2^(hi-1) units, hi <= k-1; exact within it, both edges included. If bits are ignored, |x - at| <
//             2^(hi-1) - 2^low
// Reveals     nothing: every opened bit is under a mask bit of its own
// Rounds      2 for any number of comparisons
// Sends       2m bits an element to each peer; m groups hold the hi-1-low bits
// Consumes    dealt: sum(2^size - 1) + 1 bits an element for each shown value, and
//             2^m + 2^(m-1) - 2 bits for each threshold
// Secure      against n-1 passive parties. A simulator without x draws every opened bit at random: the
//             honest party's share of its mask bit is a stream of its own. The simulator also draws
//             every dealt share at random, since these are uniform except for their sums. The dealer
//             must not collude
// Papers      Escudero and others, Improved Primitives, CRYPTO 2020 (a masked opening, with the mask's bits
//             in shared form; here the products of bits are dealt)
#pragma once

#include <span>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

// One comparison of a call: is x >= at, where x is the shown value? `at` is in units, and may be
// negative. `low` bits are ignored.
struct Comparison {
  Shown shown;
  int hi = 0;
  std::int64_t at = 0;
  int low = 0;
};

std::vector<Bits> non_negative(Session& session, std::span<const Comparison> comparisons);
// x >= 0.
Bits non_negative(Session& session, const Shown& shown, int hi);

// The sizes of the groups for `bits` bits, low to high, for which the dealer sends the fewest bits.
std::vector<int> comparison_groups(int bits);

}  // namespace tacit::mpc
