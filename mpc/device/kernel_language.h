// The language of the kernels: CUDA C++ under nvcc, and an emulated device of fibers under a C++ compiler
// (emulated/language.h). A kernel uses only these names, so one source serves both.
#pragma once

#include <cstdint>

#ifdef __CUDACC__  // nvcc includes CUDA's runtime by itself

// Shared memory of a block: `count` elements of `type`; at most 48 KiB in all.
#define TACIT_SHARED(type, name, count) __shared__ type name[count]

namespace tacit::mpc::device {

using Stream = cudaStream_t;

// Queues the kernel. Returns 0, or the error of CUDA.
template <typename... Parameters, typename... Arguments>
inline int launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Stream stream, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.stream = stream;
  return static_cast<int>(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

}  // namespace tacit::mpc::device

#else

#include "mpc/device/emulated/language.h"

#endif

namespace tacit::mpc::device {

using Word = std::uint64_t;
constexpr int kLanes = 32;  // the threads of a warp

__host__ __device__ constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// All ones in the lowest `bits` bits, for 1 to 64 bits.
__host__ __device__ constexpr Word mask_of(int bits) { return ~Word{0} >> (64 - bits); }

}  // namespace tacit::mpc::device
