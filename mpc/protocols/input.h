// input — secret sharing: the owner's matrix becomes a share at every party.
//
// Requires    |x| < 2^(k-2) units, at the owner; otherwise ConfigError at the owner
// Reveals     nothing: another party's share is a stream that the owner shares with this party alone
// Rounds      0
// Sends       nothing
// Consumes    k bits an element of the seed between the owner and each other party
// Secure      against n-1 passive parties, which hold uniform words that do not depend on x; the dealer
//             has no part
#pragma once

#include <functional>
#include <string_view>

#include "mpc/session/session.h"

namespace tacit::mpc {

// `mine` is read at the owner only, and always in the clear session. `name` is for errors.
Share input(Session& session, int owner, Shape shape, Format format, const Matrix* mine, std::string_view name);

// Converts a matrix that all parties know into a share: the first party holds it, the others hold
// zero. The matrix is not secret, and the dealer does not need it.
Share constant(Session& session, const Matrix& value, Format format, std::string_view name);
// The same for a matrix that is expensive to make: `value` runs only at the parties and in the
// clear session.
Share constant(Session& session, Shape shape, const std::function<Matrix()>& value, Format format,
               std::string_view name);

}  // namespace tacit::mpc
