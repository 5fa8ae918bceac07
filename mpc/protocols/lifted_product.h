// lifted_product — [xy] in a wide ring from two values that were shown in narrow rings, element by element: a lift (ring
// extension) and a Beaver product in one, without another opening.
//
// With C = M - 2^(k-2), rho = r mod 2^k and n = 1 - m, the lift (lift.h) is x = C + x', x' = -rho + 2^k n sigma, and so
//
//   xy   = Cx·Cy + Cx·y' + Cy·x' + x'y'
//   x'y' = rho_x·rho_y - 2^l n_y rho_x·sigma_y - 2^k n_x sigma_x·rho_y + 2^(k+l) n_x n_y sigma_x·sigma_y
//
// x', y' are local, as in lift. The four products of masks are dealt, since n_x and n_y are public among the parties and
// the dealer does not know them.
//
// x may be a column that multiplies every column of y. The two terms of its wrap are then dealt once for each row.
//
// Requires    |x| < 2^(k-2), |y| < 2^(l-2) units, as show does; k < K, l < K, and xy in Z_2^K
// Reveals     nothing, since no value is opened
// Rounds      0
// Sends       nothing. A lift and then a product would mask the lifted values: a round, and 2K bits
// Consumes    K + 3(K-k) + 3(K-l) + max(0, K-k-l) dealt bits an element. If x is a column, 2(K-k) bits of this number are
//             dealt once for a row
// Secure      against n-1 passive parties: local except for dealt shares, which are uniform except for their sums; the
//             dealer must not collude
// Papers      as lift and product
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

Share lifted_product(Session& session, const Shown& x, const Shown& y, int ring_bits);

}  // namespace tacit::mpc
