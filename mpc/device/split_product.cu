#include "mpc/device/split_product.h"

namespace tacit::mpc::device {

namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads) clear(Word* out, std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) out[i] = 0;
}

__global__ void __launch_bounds__(kThreads) reduce(Word* out, std::int64_t count, Word mask) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) out[i] &= mask;
}

dim3 blocks_for(std::int64_t count) { return dim3(static_cast<unsigned>(ceil_div(count, kThreads))); }

}  // namespace

int clear_words(Word* out, std::int64_t count, Stream stream) {
  if (count == 0) return 0;
  return launch(clear, blocks_for(count), dim3(kThreads), stream, out, count);
}

int reduce_words(Word* out, std::int64_t count, Word mask, Stream stream) {
  if (count == 0 || mask == ~Word{0}) return 0;
  return launch(reduce, blocks_for(count), dim3(kThreads), stream, out, count, mask);
}

}  // namespace tacit::mpc::device
