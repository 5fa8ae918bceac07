// restore — a share that was saved in an earlier session, by the same party, becomes a share of this one.
//
// Requires    every party restores its part of the same share: the caller agrees with the others on what that is
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    shares of zero from the seeds of pairs of parties: nothing is dealt
// Secure      against n-1 passive parties. What was saved is an additive share and no more: no mask, no Delta, no seed.
//             The value's masks are new with the session that opens it next, so what was opened of it before and after
//             lies under independent lambdas. The shares of zero make this session's shares independent of the saved
//             ones: a file that is stolen later does not go together with shares of another session. For the dealer and
//             the clear session nothing is as before
//
// A rounding is part of a value: of what may be revealed save the rounded share. From its unrounded ancestor it would
// be rounded anew, and two roundings of one value tell more than one.
#pragma once

#include "mpc/session/saved_share.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// This rank's part of a share, for a Sealer. No session is needed: nothing travels.
SavedShare save(const Share& share);

Share restore(Session& session, const SavedShare& saved);

}  // namespace tacit::mpc
