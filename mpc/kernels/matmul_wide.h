// multiply_wide — a few rows times a wide matrix that lies row by row, such as the gradients of a layer, transposed, times all
// features. Packing the matrix would cost as much as the product, so the kernel reads it in place, a few rows at a time.
//
// Thread: any. The functions only read their operands.
#pragma once

#include "mpc/kernels/tiles.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// True if multiply_wide takes these operands. The product is then faster than with packed operands.
bool suits_wide(const Tiles& tiles, RingView a, RingView b);

// The same product as multiply_block's, for any number of columns.
void multiply_wide(const Tiles& tiles, RingView a, RingView b, Into into, std::uint64_t mask, std::uint64_t* out,
                   std::int64_t out_stride);

}  // namespace tacit::mpc
