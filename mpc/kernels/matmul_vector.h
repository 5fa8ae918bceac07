// A matrix times a vector: bound by memory, so its words are read once and in order, and nothing is packed.
#pragma once

#include "mpc/kernels/cpu.h"
#include "mpc/kernels/into.h"
#include "mpc/kernels/workers.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// m·x for a single column x, into the words at `out`, one after the other; `mask` holds the bits of their ring.
void multiply_vector(RingView m, RingView x, Into into, std::uint64_t mask, std::uint64_t* out, Workers& workers,
                     Instructions instructions);

}  // namespace tacit::mpc
