// lifted_polynomials — polynomials of values that were shown in narrow rings, each in a wide ring of its own, element by
// element: lifts (ring extensions) and Beaver products of up to three factors in one, without another opening.
//
// With C = M - 2^(k-2), rho = r mod 2^k and n = 1 - m, the lift (lift.h) of each value is x = C - rho + 2^k n sigma. A
// polynomial of such values is a sum of public factors (coefficients, C, n, powers of 2) times products of masks (powers of
// rho, with or without sigma), and the dealer knows all masks:
//
//   x·y = Cx·Cy - Cx·rho_y - Cy·rho_x + rho_x·rho_y + 2^l n_y (Cx·sigma_y - rho_x·sigma_y) + …
//
// A product of masks is dealt once, in the widest ring in which one of the polynomials needs it: a factor 2^j of its public
// part saves j bits. rho alone is not dealt, since rho = r - 2^k (r >> k), and the parties hold shares of r.
//
// Requires    |x| < 2^(k-2) units of every value, as show does; terms of at most three factors. Results are modulo 2^K
// Reveals     nothing, since no value is opened
// Rounds      0
// Sends       nothing
// Consumes    the products of masks: for one product of two values as lifted_product, K + 3(K-k) + 3(K-l) + max(0, K-k-l)
//             bits an element. More polynomials of the same values deal the two terms of each wrap once
// Secure      against n-1 passive parties: local except for dealt shares, which are uniform except for their sums; the
//             dealer must not collude
// Papers      as lift and product; products of several masks as in Patra and others, ABY2.0, USENIX Security 2021 (there a
//             gate of several inputs; here for n parties and a dealer, of values in narrower rings)
#pragma once

#include <span>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

// coefficient · product of the shown values with these indices; no factor: the coefficient itself.
struct Monomial {
  std::int64_t coefficient = 1;
  std::vector<int> factors;
};

// The sum of the terms, in units of 2^-fraction_bits. The shown values count in their own units.
struct Polynomial {
  std::vector<Monomial> terms;
  Format format;
};

std::vector<Share> lifted_polynomials(Session& session, std::span<const Shown> values,
                                      std::span<const Polynomial> polynomials);

}  // namespace tacit::mpc
