// random_sums computes a few random combinations of a tensor's elements, with public coefficients.
// The sums are zero if the tensor is zero, and almost never zero otherwise.
//
// One combination misses an element e of Z_2^w with probability 2^-(w-v), where 2^v is the largest
// power of two that divides every element: 2^-w if one element is odd. Local.
#pragma once

#include <cstdint>

#include "mpc/kernels/workers.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

// A row of `sums` elements in the ring of 64 bits: each is 2^(64-k) · sum of c_i x_i, for x in
// Z_2^k. `seed` selects the coefficients and must be equal at every rank.
Share random_sums(const Share& x, int sums, std::uint64_t seed, Workers& workers);

}  // namespace tacit::mpc
