// reveal — a shared value becomes known to all parties, or to one. The only way from a Share to a Public.
//
// Requires    a reason; the session keeps the account
// Reveals     x, to whom it is for, and nothing else: shares are refreshed with shares of zero, so what is seen of them
//             is uniform but for its sum. Where two parties have seen different openings before, not even x: their
//             shares of zero do not cancel, and all parties end with a ProtocolError (compare_transcripts.h)
// Rounds      1
// Sends       to all: an opening of k bits an element; to one: k bits an element, straight to it and through nobody;
//             besides, 16 bytes from each party to each other
// Consumes    shares of zero from the seeds of pairs of parties: nothing is dealt
// Secure      against n-1 passive parties; the dealer has no part
//
// decide — rank 0 evaluates a condition, which may read what was revealed; the outcome, one byte, goes to every rank
// and the dealer.
#pragma once

#include <functional>

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/session.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Cost reveal_cost(const Spec& x, To to, const CostSetting& setting);
Public reveal(Party& party, const Share& x, To to);
Public reveal(Dealer& dealer, const Share& x, To to);
Public reveal(Clear& clear, const Share& x, To to);

Cost decide_cost(const CostSetting& setting);
bool decide(Party& party, const std::function<bool()>& at_rank_0);
bool decide(Dealer& dealer, const std::function<bool()>& at_rank_0);
bool decide(Clear& clear, const std::function<bool()>& at_rank_0);

}  // namespace tacit::mpc
