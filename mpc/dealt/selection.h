// Mask bits as words, and their products with masks (protocols/indicator.h, protocols/select.h).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const WideningRequest& request, Workers& workers);
std::vector<RingTensor> dealt(const SelectionRequest& request, Workers& workers);

}  // namespace tacit::mpc
