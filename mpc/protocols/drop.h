// drop — truncation: [x] in Z_2^k becomes [x / 2^d] in Z_2^(k-d), rounded without bias.
//
// Every party drops the d low bits of its own share. Shares wrap at 2^k, which is 0 in the ring of k-d bits after the
// shift: no wrap can be lost, whatever the values are. What differs from x / 2^d is the fractions that the parties
// drop, less what they add before: 2^(d-1), and one unit less at every other party, so that the sum of the offsets is
// the mean of the sum of the fractions (exactly for an even n, else within half of 2^-d).
//
// Requires    0 <= d < k
// Error       below one unit of the result for two parties, n/2 beyond; mean 0 (n even) or 2^-(d+1) (n odd)
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    nothing
// Secure      against anyone: it is local
#pragma once

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Cost drop_cost(const Spec& x, int bits, const CostSetting& setting);
Share drop(Party& party, const Share& x, int bits);
Share drop(Dealer& dealer, const Share& x, int bits);
Share drop(Clear& clear, const Share& x, int bits);  // dithered: the error is below one unit, its mean 0

}  // namespace tacit::mpc
