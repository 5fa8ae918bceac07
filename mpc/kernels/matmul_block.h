// A block of a matrix product, by one thread: some rows times some columns, all along the inner dimension or a part.
#pragma once

#include "mpc/kernels/tiles.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// The part of a view from (row, col) on.
inline RingView part(RingView view, std::int64_t row, std::int64_t col, Shape shape) {
  return {view.words + row * view.row_stride + col * view.col_stride, shape, view.row_stride, view.col_stride};
}

// The largest number of columns of a block. The packed words of these columns fit a core's own cache.
inline constexpr std::int64_t kBlockCols = 256;

// a·b into the rows at `out`, `out_stride` words apart. b has at most kBlockCols columns.
void multiply_block(const Tiles& tiles, RingView a, RingView b, Into into, std::uint64_t mask, std::uint64_t* out,
                    std::int64_t out_stride);

}  // namespace tacit::mpc
