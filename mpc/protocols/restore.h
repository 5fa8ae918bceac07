// restore — imports a share that the same party saved in an earlier session.
//
// Requires    every party restores its part of the same share; the caller agrees with the other parties
//             on the share
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    shares of zero from the seeds of pairs of parties; no dealt words
// Secure      against n-1 passive parties. The saved bytes are an additive share: no mask, no Delta, no
//             seed. The next session opens the value under new masks, so its openings before and after
//             use independent lambdas. The shares of zero make this session's shares independent of
//             the saved ones: a file that is stolen later does not fit together with shares of another
//             session. The dealer and the clear session start from nothing
// Papers      Ostrovsky, Yung, PODC 1991 (refreshing of shares; here when a share comes back, not on a
//             schedule)
//
// Rounding is part of a value. If a value may be revealed, save the rounded share. The unrounded share would be
// rounded again later, and two roundings of one value tell more than one.
#pragma once

#include "mpc/session/saved_share.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// This rank's part of a share, for a Sealer. Local: no session is needed.
SavedShare save(const Share& share);

Share restore(Session& session, const SavedShare& saved);

}  // namespace tacit::mpc
