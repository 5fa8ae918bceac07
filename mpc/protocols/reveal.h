// reveal — makes a shared value known to all parties, or to one (output, reconstruction). No other function
// leads from a Share to a Public.
//
// Requires    a reason; the session keeps the account
// Reveals     x to its recipients, and nothing else. Each party refreshes its share with a share of zero, so the
//             opened shares are uniform except for their sum. If two parties saw different words in an earlier
//             opening, no party learns even x, since their shares of zero do not cancel, and all parties end
//             with a ProtocolError (compare_transcripts.h)
// Rounds      1
// Sends       to all: an opening of k bits an element; to one: k bits an element from each party, directly;
//             in addition, 16 bytes from each party to every other, or 32 with more than two parties
// Consumes    shares of zero from the seeds of pairs of parties; no dealt words
// Secure      against n-1 passive parties; the dealer has no part
#pragma once

#include <string_view>

#include "mpc/session/operation.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// The session adds `reason` to its account of reveals before anything is opened.
Public reveal(Session& session, const Share& share, To to, std::string_view reason);

// The operation, declared here so that another interpreter can replace it.
class RevealShare final : public OperationOf<Public> {
 public:
  RevealShare(const Share& x, To to) : x_(x), to_(to) {}
  std::string_view name() const override { return "reveal"; }
  Cost cost(const CostSetting& setting) const override;
  Public at(Party& party) override;
  Public at(Dealer& dealer) override;
  Public at(Clear& clear) override;
  Public at(Planner& planner) override;

  const Share& x() const { return x_; }

 private:
  const Share& x_;
  const To to_;
};

}  // namespace tacit::mpc
