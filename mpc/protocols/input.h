// input — the owner's matrix becomes a share of everybody.
//
// Requires    |x| < 2^(k-2) units, at the owner; anything else is a ConfigError there
// Reveals     nothing: the shares of the others are streams that the owner shares with each of them
// Rounds      0
// Sends       nothing
// Consumes    k bits an element of the seed between the owner and each other party
// Secure      against n-1 passive parties: they hold uniform words that do not depend on x; the dealer has no part
#pragma once

#include <functional>
#include <string_view>

#include "mpc/session/session.h"

namespace tacit::mpc {

// `mine` is read at the owner alone; the clear session reads it always. `name` is for errors.
Share input(Session& session, int owner, Shape shape, Format format, const Matrix* mine, std::string_view name);

// A matrix that all parties know, as a share: the first party holds it, the others hold zero. No secrecy is needed, and
// the dealer does not ask for it.
Share constant(Session& session, const Matrix& value, Format format, std::string_view name);
// The same for a matrix that is expensive to make: `value` runs at the parties and in the clear session only.
Share constant(Session& session, Shape shape, const std::function<Matrix()>& value, Format format,
               std::string_view name);

}  // namespace tacit::mpc
