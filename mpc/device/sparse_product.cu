// A warp makes a row, 32 columns at a time. The lanes read an entry's row of x side by side.
#include "mpc/device/sparse_product.h"

#include "mpc/device/grid_loop.h"

namespace tacit::mpc::device {

namespace {

__global__ void __launch_bounds__(kLoopThreads)
    multiply_rows(SparseRows m, const Word* x, std::int64_t cols, Word* out, Word mask) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t strips = ceil_div(cols, kLanes);
  for (std::int64_t job = first_element() / kLanes; job < m.rows * strips; job += element_step() / kLanes) {
    const std::int64_t row = job / strips, col = job % strips * kLanes + lane;
    if (col >= cols) continue;
    Word sum = 0;
    const std::int64_t end = __ldg(m.row_begin + row + 1);
    for (std::int64_t e = __ldg(m.row_begin + row); e < end; ++e) {
      sum += __ldg(m.values + e) * __ldg(x + __ldg(m.cols + e) * cols + col);
    }
    out[row * cols + col] = sum & mask;
  }
}

}  // namespace

int sparse_product(const SparseRows& m, const Word* x, std::int64_t cols, Word* out, Word mask, int processors,
                   Stream stream) {
  if (m.rows * cols == 0) return 0;
  return launch(multiply_rows, loop_grid(m.rows * ceil_div(cols, kLanes) * kLanes, processors), dim3(kLoopThreads),
                stream, m, x, cols, out, mask);
}

}  // namespace tacit::mpc::device
