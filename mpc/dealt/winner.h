// The tables of a one-hot argmax (protocols/winner.h).
#pragma once

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const WinnerRequest& request, Workers& workers);

}  // namespace tacit::mpc
