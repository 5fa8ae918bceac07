// indicator — converts a bit to arithmetic (B2A): [b] as a share of 0 or 1 in Z_2^K from <b>2,
// b = delta + (1 - 2 delta)·mu.
//
// Requires    nothing
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    mu in Z_2^K: K dealt bits an element, or 0 if a selection by the same bits, in a ring at
//             least as wide, has received mu already
// Secure      against n-1 passive parties: no value is opened, and dealt shares are uniform except for
//             their sum; the dealer must not collude
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

Share indicator(Session& session, const Bits& bits, int ring_bits);

}  // namespace tacit::mpc
