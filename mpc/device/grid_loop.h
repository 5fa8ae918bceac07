// A loop over elements on a device: as many blocks as are resident at once, and each thread takes elements at a fixed step.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

constexpr int kLoopThreads = 256;  // of a block

inline dim3 loop_grid(std::int64_t count, int processors) {
  const std::int64_t blocks = ceil_div(count, kLoopThreads), most = 8LL * processors;
  return dim3(static_cast<unsigned>(blocks < most ? blocks : most));
}

// A thread's elements: first_element(), first_element() + element_step(), and so on.
__device__ __forceinline__ std::int64_t first_element() {
  return static_cast<std::int64_t>(blockIdx.x) * kLoopThreads + threadIdx.x;
}
__device__ __forceinline__ std::int64_t element_step() { return static_cast<std::int64_t>(gridDim.x) * kLoopThreads; }

}  // namespace tacit::mpc::device
