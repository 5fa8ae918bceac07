// Rows of masks in an order that their owner knows (protocols/own_matrix.h).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const RouteRequest& request, Workers& workers);

}  // namespace tacit::mpc
