// winner — [1] for the column that wins against every other one and [0] for the rest, from <b>2 of every pair of
// columns; and that times y for <y>. A product of c-1 bits in no round.
//
// Column a wins against b > a where the bit of the pair (a, b) is set, against b < a where that of (b, a) is not. Each
// of its c-1 bits is b = delta ^ mu, so it wins them all exactly where the deltas are the one pattern that follows from
// the mus: the dealer deals a table over all 2^(c-1) patterns, 1 at that one, and a party reads it at the deltas. With
// y = Dy - ly, the product is the same over Dy·T - ly·T, where the dealer deals ly·T beside T.
//
// Requires    bits of pairs in the order of pair_differences; 2 <= c <= kMostColumnsAtOnce
// Reveals     nothing: nothing is opened
// Rounds      0
// Sends       nothing
// Consumes    2^(c-1) words of ring_bits for each of the c columns, and as many in y's ring (if that is narrower)
// Secure      against n-1 passive parties: dealt shares are uniform but for their sums; the dealer must not collude
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

inline constexpr std::int64_t kMostColumnsAtOnce = 7;  // 64 words an element; a round more costs less beyond

struct Winner {
  Share which;  // 1 for the winning column of each row, 0 for the others; without fraction bits
  Share times;  // which · y, in y's ring if that is the narrower one
};

// `pairs` compares all pairs of columns in the order of pair_differences. y has one column for each candidate.
Winner winner(Session& session, const Bits& pairs, const Masked& y, int ring_bits);

}  // namespace tacit::mpc
