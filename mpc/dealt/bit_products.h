// The products of mask bits that a comparison needs (protocols/subset_products.h has their order).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<BitTensor> dealt(const GroupProductsRequest& request, Workers& workers);
std::vector<BitTensor> dealt(const CarryProductsRequest& request, Workers& workers);

}  // namespace tacit::mpc
