// The rounded multiples of a mask's low bits (protocols/lifted_multiple.h).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const LiftedMultipleRequest& request, Workers& workers);

}  // namespace tacit::mpc
