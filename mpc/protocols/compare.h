// compare — <x >= at> of what was shown, exactly.
//
// With c = M - 2^(k-2) - at = x - at + r mod 2^k, bit hi-1 of x - at is bit hi-1 of c, of r, and the borrow of c - r
// from the bits below. The borrow is found in two steps: those bits are cut into m groups, low to high. In each, "c <
// r" (generate) and "c = r" (propagate) are polynomials in the bits of r, whose products of subsets are dealt. Both are
// opened under fresh mask bits, and borrow = xor_k g_k prod_{j>k} p_j is expanded the same way.
//
// Comparisons of one shown value with several thresholds differ in c alone, which is public: they share what is dealt
// of r. Each opens under mask bits of its own, so what is seen of them stays uniform and independent.
//
// A third round, with groups of two bits first, would deal 61 bits less of 201 in all (hi = 26) and send 20 more to
// every peer: left out.
//
// Requires    |x - at| < 2^(hi-1) units, hi <= k-1; exact there, both edges included
// Reveals     nothing: everything opened is under a mask bit of its own
// Rounds      2 for any number of comparisons
// Sends       2m bits an element to each peer
// Consumes    sum(2^size - 1) + 1 bits an element for each shown value, 2^m + 2^(m-1) - 2 for each threshold, are dealt
// Secure      against n-1 passive parties: a simulator without x draws every opened bit at random, since each is under
//             a mask bit of which the honest party's share is a stream of its own, and every dealt share too, since
//             they are uniform but for their sums; the dealer must not collude
#pragma once

#include <span>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

// One comparison of a call: is x >= at, where x is what was shown? `at` is in units, and may be negative.
struct Comparison {
  Shown shown;
  int hi = 0;
  std::int64_t at = 0;
};

std::vector<Bits> non_negative(Session& session, std::span<const Comparison> comparisons);
// x >= 0.
Bits non_negative(Session& session, const Shown& shown, int hi);

// How `bits` bits are cut into groups, low to high, so that the dealer sends the fewest bits.
std::vector<int> comparison_groups(int bits);

}  // namespace tacit::mpc
