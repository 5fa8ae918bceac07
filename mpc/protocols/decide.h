// decide — a public branch: all ranks learn whether a condition holds that only rank 0 can evaluate.
//
// Rank 0 evaluates the condition, which may read revealed values. The outcome, one byte, goes to every
// rank and to the dealer, and into the transcript of the parties.
//
// Requires    a reason; the session keeps the account
// Reveals     the outcome, one bit, to all parties and to the dealer
// Rounds      1
// Sends       one byte from rank 0 to each other rank
// Consumes    nothing
// Secure      only the outcome leaves rank 0. Rank 0 could choose another outcome: a wrong choice stops
//             a training early or late, and reveals nothing else
#pragma once

#include <functional>
#include <string_view>

#include "mpc/session/session.h"

namespace tacit::mpc {

// True in a planning session.
bool decide(Session& session, const std::function<bool()>& at_rank_0, std::string_view reason);
bool decide(Session& session, const std::function<bool(const PublicReader&)>& at_rank_0, std::string_view reason);

}  // namespace tacit::mpc
