// contribution — each party's own matrix becomes its share of the sum of all parties' matrices.
//
// Such a share is the party's own value, and not a uniform word. The values of all parties add up to the sum without a
// wrap, so each party can round its own value, which is a rounding of the sum's parts.
//
// Requires    |x_i| <= 2^52 units at each party, and |x_1 + … + x_n| < 2^(k-1) units
// Reveals     nothing. A reveal refreshes the shares before it opens them, so that only the sum is seen
// Rounds      0
// Sends       nothing
// Consumes    nothing
// Secure      against any passive coalition: no message depends on the values
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// `mine` has whole numbers of units of 2^-f, for f = format.fraction_bits. Every party passes its own; in the clear session
// it is the sum.
Share contribution(Session& session, Shape shape, Format format, const Matrix* mine);

// Each party rounds its value of a contribution to the fraction bits of `format`, to the nearest unit, and puts it into the
// ring of `format`. Only for a contribution, and for its sum with noise from parties (noise.h).
Share round_contribution(Session& session, const Share& x, Format format);

}  // namespace tacit::mpc
