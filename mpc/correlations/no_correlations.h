// no_correlations is the CorrelationSource of a session without a dealer. The session's program only adds, reveals and makes
// noise of the parties; a protocol that asks for a mask is a bug.
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::unique_ptr<Correlations> no_correlations(net::Mesh& mesh, const Nonce& nonce, Workers& workers);

}  // namespace tacit::mpc
