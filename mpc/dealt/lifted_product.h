// The products of two masks' parts (protocols/lifted_product.h).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const LiftedProductRequest& request, Workers& workers);

}  // namespace tacit::mpc
