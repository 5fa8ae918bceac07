// Checks of a run of run_every_protocol. Each check returns the names of failed steps; an empty
// list is success.
#pragma once

#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {

using Names = std::vector<std::string>;

// Opened values are uniform. For direct openings.
Names uneven_openings(const net::Record& record, int parties);

// Every message of an opening is uniform: each party's share in a direct opening; in two phases,
// each party's piece for each other party, and the sums.
Names uneven_messages(const net::Record& record, int parties, net::AllReduce openings);

// Every message of a reveal is uniform, except the sums of the second phase.
Names uneven_revealings(const net::Record& record, int parties, net::AllReduce openings);

// The dealer's messages are uniform in every bit.
Names uneven_dealings(const net::Record& record, int parties);

// Every mask and every share of a dealt value is uniform, at every party.
Names uneven_draws(const Views& views);

// The steps in which two runs opened the same values, or sent an equal message.
Names equal_openings(const net::Record& first, const net::Record& second, int parties);
Names messages_in_common(const net::Record& first, const net::Record& second);

}  // namespace tacit::mpc
