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

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/session.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

inline constexpr std::int64_t kMostColumnsAtOnce = 7;  // 64 words an element; a round more costs less beyond

// y: a column for each that takes part.
Cost winner_cost(const Spec& y, int ring_bits, const CostSetting& setting);
Winner winner(Party& party, const Bits& pairs, const Masked& y, int ring_bits);
Winner winner(Dealer& dealer, const Bits& pairs, const Masked& y, int ring_bits);
Winner winner(Clear& clear, const Bits& pairs, const Masked& y, int ring_bits);

}  // namespace tacit::mpc
