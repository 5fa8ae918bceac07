// winner — a one-hot argmax: [1] for the column that wins against every other column and [0] for the
// rest, from <b>2 of every pair of columns; and this times y for <y>. The protocol computes a product of
// c-1 bits without a round.
//
// Column a wins against b > a if the bit of the pair (a, b) is set, and against b < a if the bit of the pair
// (b, a) is not. Each of its c-1 bits is b = delta ^ mu. The column therefore wins every pair exactly if the
// deltas equal one pattern, which the mus determine. The dealer deals a table over all 2^(c-1) patterns, with 1 at
// that pattern, and a party reads it at the deltas. With y = Dy - ly, the product is the same over
// Dy·T - ly·T, where the dealer deals ly·T beside T.
//
// Requires    bits of pairs in the order of pair_differences; 2 <= c <= kMostColumnsAtOnce
// Reveals     nothing, since no value is opened
// Rounds      0
// Sends       nothing
// Consumes    2^(c-1) words of ring_bits for each of the c columns, and as many in y's ring (if narrower)
// Secure      against n-1 passive parties: dealt shares are uniform except for their sums; the dealer must
//             not collude
// Papers      Ishai and others, TCC 2013 (dealt truth tables, rotated by the mask; here with arithmetic
//             results)
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// 64 words an element; for more columns, another round costs less.
inline constexpr std::int64_t kMostColumnsAtOnce = 7;

struct Winner {
  Share which;  // 1 for the winning column of each row, 0 for the others; without fraction bits
  Share times;  // which · y, in the narrower of y's ring and ring_bits
};

// `pairs` compares all pairs of columns in the order of pair_differences. y has one column for each candidate.
Winner winner(Session& session, const Bits& pairs, const Masked& y, int ring_bits);

}  // namespace tacit::mpc
