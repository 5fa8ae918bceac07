// sigmoid — 1 / (1 + e^-x), by one look-up: 16 cells of width 2, in each a polynomial of degree 5.
//
// Requires    -16 <= x <= 14, x in a ring of at least f + 5; result.ring_bits <= 64 - 30 + result.fraction_bits
// Error       2^-11, and max(1, n/2) units of the result. Beyond ±16 it is that of x mod 32
// Rounds      1
// Sends       f + 5 bits an element to each peer
// Consumes    96 words of result.ring_bits + 30 - result.fraction_bits bits an element are dealt
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

Share sigmoid(Session& session, const Share& x, Format result);
Cost sigmoid_cost(const Spec& x, Format result, const CostSetting& setting);

}  // namespace tacit::mpc
