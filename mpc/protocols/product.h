// product — [xy] from <x> and <y>, element by element or as matrices.
//
//   xy = Dx·Dy - Dx·ly - lx·Dy + lx·ly,   so party i holds   Dx·([i = 0] Dy - ly_i) - lx_i·Dy + gamma_i
//
// Requires    nothing of the values; the result is in the narrower of the two rings, with the fraction bits of both
// Reveals     nothing: nothing is opened
// Rounds      0
// Sends       nothing
// Consumes    gamma, shares of lx·ly: k bits per element of the RESULT are dealt
// Secure      against n-1 passive parties: gamma is uniform but for its sum; the dealer must not collude
#pragma once

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Cost product_cost(const Spec& x, const Spec& y, const CostSetting& setting);
Share product(Party& party, const Masked& x, const Masked& y);
Share product(Dealer& dealer, const Masked& x, const Masked& y);
Share product(Clear& clear, const Masked& x, const Masked& y);

Cost matmul_cost(const Spec& x, const Spec& y, const CostSetting& setting);
Share matmul(Party& party, const Masked& x, const Masked& y);
Share matmul(Dealer& dealer, const Masked& x, const Masked& y);
Share matmul(Clear& clear, const Masked& x, const Masked& y);

}  // namespace tacit::mpc
