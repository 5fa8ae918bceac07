// Elementwise comparison: a >= b as bits, and the greater of the two.
//
// Requires    |a - b| < 2^whole_bits; a and b with the same fraction bits f, in rings of at least f + whole_bits + 2
// Error       none: both are exact
// Rounds      3: the difference is shown, then compared
// Sends       f + whole_bits + 2 bits an element to each peer, and 2m for m groups of the comparison
// Consumes    what the comparison deals; greater_of: 2K bits an element more (6K - 4k with k = f + whole_bits + 2 < K)
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

Bits at_least(Session& session, const Share& a, const Share& b, int whole_bits);
Cost at_least_cost(const Spec& a, int whole_bits, const CostSetting& setting);

// In the ring where a and b meet.
Share greater_of(Session& session, const Share& a, const Share& b, int whole_bits);
Cost greater_of_cost(const Spec& a, const Spec& b, int whole_bits, const CostSetting& setting);

}  // namespace tacit::mpc
