// The matrix product by multiplications of words, three 32-bit multiplications each: for devices and shapes that the
// matrix units do not serve, and as their measure. A block makes 64 × 64 words of the result, a thread 4 × 4.
#include "mpc/device/ring_product.h"
#include "mpc/device/split_product.h"

namespace tacit::mpc::device {

namespace {

constexpr int kSide = 64, kStep = 16, kThreads = 256;
constexpr int kRow = kSide + 2;  // the words from one depth to the next in shared memory

// `part` of the inner dimension belongs to one block of blockIdx.z.
__global__ void __launch_bounds__(kThreads)
    multiply_words(DeviceView a, DeviceView b, Into into, Word* out, Word mask, std::int64_t part) {
  TACIT_SHARED(Word, left, kStep * kRow);
  TACIT_SHARED(Word, right, kStep * kRow);
  const int thread = static_cast<int>(threadIdx.x), x = thread % 16, y = thread / 16;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kSide;
  const std::int64_t col = static_cast<std::int64_t>(blockIdx.x) * kSide;
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.z) * part;
  const std::int64_t end = begin + part < a.cols ? begin + part : a.cols;
  const bool left_along = a.col_stride == 1, right_along = b.row_stride == 1 && b.col_stride != 1;
  Word sums[4][4] = {};
  for (std::int64_t depth = begin; depth < end; depth += kStep) {
#pragma unroll
    for (int i = 0; i < kSide * kStep / kThreads; ++i) {
      const int q = thread + i * kThreads;
      const int ra = left_along ? q / kStep : q % kSide, ka = left_along ? q % kStep : q / kSide;
      const bool left_there = row + ra < a.rows && depth + ka < end;
      const Word* const left_at = a.words + (row + ra) * a.row_stride + (depth + ka) * a.col_stride;
      left[ka * kRow + ra] = left_there ? __ldg(left_at) : 0;
      const int cb = right_along ? q / kStep : q % kSide, kb = right_along ? q % kStep : q / kSide;
      const bool right_there = col + cb < b.cols && depth + kb < end;
      const Word* const right_at = b.words + (depth + kb) * b.row_stride + (col + cb) * b.col_stride;
      right[kb * kRow + cb] = right_there ? __ldg(right_at) : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kStep; ++k) {
      Word l[4], r[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) l[i] = left[k * kRow + y * 4 + i];
#pragma unroll
      for (int j = 0; j < 4; ++j) r[j] = right[k * kRow + x + 16 * j];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += l[i] * r[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::int64_t r = row + y * 4 + i, c = col + x + 16 * j;
      if (r >= a.rows || c >= b.cols) continue;
      Word* const at = out + r * b.cols + c;
      const Word sum = into == Into::kSubtract ? 0 - sums[i][j] : sums[i][j];
      if (gridDim.z > 1) {
        atomicAdd(reinterpret_cast<unsigned long long*>(at), sum);
      } else {
        *at = ((into == Into::kSet ? 0 : *at) + sum) & mask;
      }
    }
  }
}

}  // namespace

int product_by_words(DeviceView a, DeviceView b, Into into, Word* out, int bits, int processors, Stream stream) {
  const std::int64_t size = a.rows * b.cols;
  if (size == 0) return 0;
  const std::int64_t blocks = ceil_div(a.rows, kSide) * ceil_div(b.cols, kSide);
  // Two blocks to a processor, and parts of at least 16 steps.
  const std::int64_t wanted = blocks >= processors ? 1 : ceil_div(2LL * processors, blocks);
  const std::int64_t most = a.cols > 16 * kStep ? ceil_div(a.cols, 16 * kStep) : 1;
  const std::int64_t part = ceil_div(ceil_div(a.cols, wanted < most ? wanted : most), kStep) * kStep;
  const std::int64_t parts = a.cols == 0 ? 1 : ceil_div(a.cols, part);
  const dim3 grid(static_cast<unsigned>(ceil_div(b.cols, kSide)), static_cast<unsigned>(ceil_div(a.rows, kSide)),
                  static_cast<unsigned>(parts));
  int failed = 0;
  if (parts > 1 && into == Into::kSet) failed = clear_words(out, size, stream);
  if (failed == 0) {
    failed = launch(multiply_words, grid, dim3(kThreads), stream, a, b, into, out, mask_of(bits), part);
  }
  if (failed == 0 && parts > 1) failed = reduce_words(out, size, mask_of(bits), stream);
  return failed;
}

}  // namespace tacit::mpc::device
