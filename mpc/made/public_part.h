// The public part of a request, as numbers: all that the cost of making its correlation depends on.
#pragma once

#include <cstdint>
#include <vector>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<std::int64_t> public_part(const WordRequest& request);
std::vector<std::int64_t> public_part(const BitRequest& request);

}  // namespace tacit::mpc
