// add_public — adds a public constant: [x + c] from [x], for a constant c that every rank knows.
//
// Requires    nothing
// Reveals     nothing
// Rounds      0
// Sends       nothing: the first party adds c to its share
// Consumes    nothing
// Secure      against anyone: it is local
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// An error about a constant that the format cannot hold calls it by `name`.
Share add_public(Session& session, const Share& share, double constant, std::string_view name = "a public constant");
// The same in units of the last fraction bit, modulo the ring.
Share add_public_units(Session& session, const Share& share, std::int64_t units);

}  // namespace tacit::mpc
