// Checks of a run of run_every_protocol. Each names what is not as it must be: nothing, where all is well.
#pragma once

#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {

using Names = std::vector<std::string>;

// What was opened is uniform. Of direct openings.
Names uneven_openings(const net::Record& record, int parties);

// So is every message that an opening is made of: of a direct one each party's share; of one in two phases each party's
// piece for each other one, and the sums.
Names uneven_messages(const net::Record& record, int parties, net::AllReduce openings);

// What is sent of a value that is revealed is uniform but for its sum: all but the sums of the second phase.
Names uneven_revealings(const net::Record& record, int parties, net::AllReduce openings);

// What the dealer sends is uniform in every bit.
Names uneven_dealings(const net::Record& record, int parties);

// So is every mask and every share of what is dealt, at every party.
Names uneven_draws(const Views& views);

// Two runs opened the same values in these steps, or sent a message that is the same.
Names equal_openings(const net::Record& first, const net::Record& second, int parties);
Names messages_in_common(const net::Record& first, const net::Record& second);

}  // namespace tacit::mpc
