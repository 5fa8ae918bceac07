// row_product — the dot product of each row of <x> with the same row of <y>: a column [sum_j x_ij·y_ij].
//
//   sum_j x·y = sum_j (Dx·Dy - Dx·ly - lx·Dy) + sum_j lx·ly,
//   so party i holds   sum_j (Dx·([i = 0] Dy - ly_i) - lx_i·Dy) + gamma_i
//
// Only the sum of the products of masks is dealt, so the number of columns costs nothing. The products of
// single elements are not available afterwards.
//
// Requires    the sum fits the narrower of the two rings. The fraction bits of both operands add up
// Reveals     nothing, since no value is opened
// Rounds      0
// Sends       nothing
// Consumes    gamma, shares of sum_j lx·ly: k bits a ROW are dealt
// Secure      against n-1 passive parties: gamma is uniform except for its sum; the dealer must not collude
// Papers      Beaver, CRYPTO 1991 (see product.h; here one dealt word for a sum of products)
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// x and y may be the same value: the squared length of each row. Transposed views are allowed.
Share row_product(Session& session, const Masked& x, const Masked& y);

}  // namespace tacit::mpc
