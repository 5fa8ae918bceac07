// random_sums computes a few random combinations of a tensor's elements, with public coefficients.
// The sums are zero if the tensor is zero, and almost never zero otherwise.
//
// The coefficients of the first combination are odd: it never misses a tensor with one element e other than zero, nor with an
// odd number of odd elements. Otherwise, for elements of Z_2^w, the first combination misses a tensor with probability 2^-(w-v-1),
// and any other one with 2^-(w-v), where 2^v is the largest power of two that divides every element. The coefficients are the same
// in every run. Local.
#pragma once

#include <cstdint>

#include "mpc/kernels/workers.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

// A row of `sums` elements in the ring of 64 bits: each is 2^(64-k) · sum of c_i x_i, for x in
// Z_2^k. `seed` selects the coefficients and must be equal at every rank.
Share random_sums(const Share& x, int sums, std::uint64_t seed, Workers& workers);

}  // namespace tacit::mpc
