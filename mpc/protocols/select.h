// select — a multiplexer: [b·x] from <b>2 and a shown value, for a ReLU or its backward pass. The result
// is in the ring of the shown value, or in a narrower one, or lifted to a wider one.
//
// b = delta ^ mu, so b·x = delta·x + (1 - 2 delta)·mu·x, with x = M - 2^(k-2) - r + wrap. mu·x needs shares
// of mu and of mu·r; for a lift, also of mu times the two terms of the wrap (see lift.h).
//
// Requires    |x| < 2^(k-2) units, as show does
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    mu and mu·r in the ring of the result: 2K bits an element are dealt; K for a second selection
//             by the same bits in a ring no wider; for a lift, 4(K-k) bits more
// Secure      against n-1 passive parties: no value is opened, and a simulator draws the coalition's dealt
//             shares at random, since they are uniform except for their sums; the dealer must not collude
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// The result is in a ring of `ring_bits` bits, reduced modulo 2^ring_bits if the shown value's ring is wider.
Share select(Session& session, const Bits& bits, const Shown& shown, int ring_bits);

}  // namespace tacit::mpc
