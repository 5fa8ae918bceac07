// select — [b·x] from <b>2 and what was shown: a ReLU, or its backward pass. In the ring that was shown, or lifted on
// the way.
//
// b = delta ^ mu, so b·x = delta·x + (1 - 2 delta)·mu·x, where x = M - 2^(k-2) - r + wrap and mu·x needs shares of mu,
// of mu·r, and to lift, of mu times the two terms of the wrap (see lift.h).
//
// Requires    |x| < 2^(k-2) units, as show does
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    mu and mu·r in the ring of the result, 2K bits an element dealt; K for a second selection by the same
//             bits in a ring no wider; to lift, 4(K-k) bits more
// Secure      against n-1 passive parties: nothing is opened, and a simulator draws the coalition's dealt shares at
//             random, since they are uniform but for their sums; the dealer must not collude
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// The result is in a ring of `ring_bits` bits: the ring of the shown value or a wider one.
Share select(Session& session, const Bits& bits, const Shown& shown, int ring_bits);

}  // namespace tacit::mpc
