// reveal — makes a shared value known to all parties, or to one (output, reconstruction). It is the only
// way from a Share to a Public.
//
// Requires    a reason; the session keeps the account
// Reveals     x, to whom it is for, and nothing else: shares are refreshed with shares of zero, so what is seen of them
//             is uniform but for its sum. Where a word of an opening before was not the same at two parties, not even x:
//             their shares of zero do not cancel, and all parties end with a ProtocolError (compare_transcripts.h)
// Rounds      1
// Sends       to all: an opening of k bits an element; to one: k bits an element, straight to it and through nobody;
//             besides, 16 bytes from each party to each other, or 32 among more than two parties
// Consumes    shares of zero from the seeds of pairs of parties: nothing is dealt
// Secure      against n-1 passive parties; the dealer has no part
#pragma once

#include <string_view>

#include "mpc/session/operation.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// The session adds `reason` to its account of reveals before anything is opened.
Public reveal(Session& session, const Share& share, To to, std::string_view reason);

// The operation. It is declared here so that another interpreter can replace it.
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
