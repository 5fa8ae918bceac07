// drop — truncation: [x] in Z_2^k becomes [x / 2^d] in Z_2^(k-d), rounded without bias.
//
// Every party drops the d low bits of its own share. Shares wrap at 2^k, which becomes 0 in the ring of
// k-d bits. The result is therefore right for all values, with any wrap. The error consists of the
// fractions that the parties drop, less the offsets that they add before: 2^(d-1) at every even rank,
// and one less at every odd rank. The two offsets together compensate the mean of the fractions that a
// pair of parties drops, even if the low t bits of all shares are zero, as after a multiplication by 2^t.
// With an odd number of parties, the last one takes either offset, by a random bit of its own. A single
// party dithers.
//
// Requires    0 <= d < k, and d at most the fraction bits of x: the result never has a negative number of
//             fraction bits. Each share's dropped bits are uniform or zero; only the shares of a bare
//             constant() are neither, and drop rounds them in the same way every time
// Error       below one unit of the result for one and two parties, below n/2 units for more; mean 0
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    nothing; for an odd n, a random bit or word of the last party
// Secure      against anyone: it is local. But a party knows its own share, and with it the threshold of
//             the rounding. If a value is rounded and revealed many times, each time with a new
//             rounding, the party learns bits below the last place. Round a value once and reveal that
//             share
// Papers      Catrina, Saxena, Financial Cryptography 2010 (probabilistic truncation; here without an
//             opening and without statistical slack). Mohassel, Zhang, SecureML, IEEE S&P 2017 (each party
//             shifts its own share; here the ring shrinks with the value, so no wrap is lost)
#pragma once

#include "mpc/session/operation.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// Dithered in the clear session, too: the error is below one unit and its mean is 0.
Share drop(Session& session, const Share& x, int bits);

// The operation, declared here so that another interpreter can replace it.
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
