// A source of correlations without a dealer, for tests. The parties are threads of one process. The
// source makes each correlation from the requests of all parties and knows nothing else of the
// protocols.
//
// It computes each function of the masks element by element, following the comments of the request
// types, and shares no code with the dealer's values (mpc/dealt). A request that lacks a
// parameter, or a wrong comment, therefore shows as a wrong result.
#pragma once

#include <memory>

#include "mpc/correlations/correlations.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {

// For one run of `parties` parties.
CorrelationSource gathered_correlations(int parties);

// The program reveals `expected`: in the clear session, by parties with a dealer, with this source, and by parties that make the
// correlations among themselves.
void expect_everywhere(const Function& program, const Matrix& expected);

}  // namespace tacit::mpc
