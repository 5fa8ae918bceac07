// drop — truncation: [x] in Z_2^k becomes [x / 2^d] in Z_2^(k-d), rounded without bias.
//
// Every party drops the d low bits of its own share. Shares wrap at 2^k, which is 0 in the ring of k-d bits after the
// shift: no wrap can be lost, whatever the values are. What differs from x / 2^d is the fractions that the parties
// drop, less what they add before: 2^(d-1) at every even rank, one less at every odd one. The two together are the mean
// of what a pair of parties drops, also where the low t bits of all shares are zero, as after a multiplication by 2^t.
// An odd number of parties leaves one over: it takes either offset, by a random bit of its own. One party alone
// dithers.
//
// Requires    0 <= d < k; shares whose dropped bits are uniform or zero, as of all but a constant() that nothing was
// added to, which
//             rounds the same way every time
// Error       below one unit of the result for one and two parties, n/2 beyond; mean 0
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    nothing; a random bit or word of its own at the party left over
// Secure      against anyone: it is local. But a party knows its own share, and so where the rounding's threshold lies:
//             who sees a rounded value revealed many times, each rounded anew, learns bits below its last place. Round
//             a value once and reveal that share
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
