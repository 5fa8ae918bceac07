// The terms of the wrap of a mask (protocols/wrap.h).
#pragma once

#include <span>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const WrapRequest& request, Workers& workers);

// r >> k and bit k-1 of r, in the rings of the two tensors.
void make_wrap_terms(const std::uint64_t* r, int k, std::span<RingTensor> over_sigma, Workers& workers);

}  // namespace tacit::mpc
