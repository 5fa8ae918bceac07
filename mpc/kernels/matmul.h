// matmul — the matrix product over Z_2^k, exact, on the widest instructions that this machine has.
//
// Operands may be transposed views: words are packed into tiles while they are read, never copied as a whole. Words of
// operands are reduced mod 2^k or wider (a masked value narrows for free: the product is in the ring of the result).
#pragma once

#include "mpc/kernels/cpu.h"
#include "mpc/kernels/into.h"
#include "mpc/kernels/workers.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// out = a·b, out += a·b or out -= a·b, in out's ring. The shapes must agree; out overlaps neither operand.
void matmul(RingView a, RingView b, Into into, RingTensor& out, Workers& workers);

// The same on instructions of one's choice, which this machine must have: for tests and benchmarks.
void matmul(RingView a, RingView b, Into into, RingTensor& out, Workers& workers, Instructions instructions);

}  // namespace tacit::mpc
