// A source of correlations without a dealer, for tests: parties are threads of one process, and each correlation is made
// from the requests of all parties, with nothing else known of the protocols.
//
// It computes each function of the masks element by element, as the comments of the request types define it, and shares
// no code with the dealer's side of the protocols. So a request that lacks a parameter, or a comment that is wrong, shows
// as a wrong result.
#pragma once

#include <memory>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

// For one run of so many parties.
CorrelationSource gathered_correlations(int parties);

}  // namespace tacit::mpc
