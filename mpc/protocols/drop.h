// drop — truncation: [x] in Z_2^k becomes [x / 2^d] in Z_2^(k-d), rounded without bias.
//
// Every party drops the d low bits of its own share. Shares wrap at 2^k, which is 0 in the ring of k-d bits after the
// shift: no wrap can be lost, whatever the values are. What differs from x / 2^d is the fractions that the parties
// drop, less what they add before: 2^(d-1) at every even rank, one less at every odd one. The two together are the mean
// of what a pair of parties drops, also where the low t bits of all shares are zero, as after a multiplication by 2^t.
// An odd number of parties leaves one over: it takes either offset, by a random bit of its own. One party alone
// dithers.
//
// Requires    0 <= d < k; shares whose dropped bits are uniform or zero. Those of every share are, except of a
//             constant() to which nothing was added: it rounds the same way every time
// Error       below one unit of the result for one and two parties, n/2 beyond; mean 0
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    nothing; a random bit or word of its own at the party left over
// Secure      against anyone: it is local. But a party knows its own share, and so where the rounding's threshold lies:
//             who sees a rounded value revealed many times, each rounded anew, learns bits below its last place. Round
//             a value once and reveal that share
#pragma once

#include "mpc/session/operation.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// Dithered in the clear session, too: the error is below one unit and its mean is 0.
Share drop(Session& session, const Share& x, int bits);

// The operation, visible so that another interpreter can replace it.
class Drop final : public OperationOf<Share> {
 public:
  Drop(const Share& x, int bits) : x_(x), bits_(bits) {}
  std::string_view name() const override { return "drop"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override;

  const Share& x() const { return x_; }
  int bits() const { return bits_; }

 private:
  const Share& x_;
  const int bits_;
};

}  // namespace tacit::mpc
