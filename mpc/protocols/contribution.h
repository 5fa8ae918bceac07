// contribution — each party's own matrix becomes its share of the sum of all parties' matrices.
//
// The share is the party's own value, and not a uniform word. noisy_sum.h reveals such a sum with noise.
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

}  // namespace tacit::mpc
