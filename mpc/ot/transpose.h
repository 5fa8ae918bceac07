// transpose — square matrices of 128 × 128 bits, several at a time.
#pragma once

#include "mpc/ot/block.h"

namespace tacit::mpc {

// Transposes kMatrices matrices in place: row r of matrix m is blocks[r·kMatrices + m], and column c its bit c.
template <int kMatrices>
void transpose(Block* blocks);

}  // namespace tacit::mpc
