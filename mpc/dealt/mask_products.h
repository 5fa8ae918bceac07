// The products of masks' parts that polynomials need (protocols/lifted_polynomial.h).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const MaskProductsRequest& request, Workers& workers);

}  // namespace tacit::mpc
