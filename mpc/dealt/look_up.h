// The entries of a table of cells for a mask (protocols/look_up.h).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const LookUpRequest& request, Workers& workers);

}  // namespace tacit::mpc
