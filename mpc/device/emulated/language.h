// CUDA's keywords and intrinsics for kernels that a C++ compiler builds, by their definitions on the emulated machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpc/device/emulated/machine.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define TACIT_SHARED(type, name, count) \
  type* const name =                    \
      static_cast<type*>(::tacit::mpc::device::emulated::machine().shared(sizeof(type) * (count), __COUNTER__))

using tacit::mpc::device::emulated::dim3;

struct uint2 {
  std::uint32_t x, y;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
constexpr ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }

namespace tacit::mpc::device {

struct Stream {};

// Runs the kernel to its end. Returns 0: an error of a kernel ends the process.
template <typename... Parameters, typename... Arguments>
inline int launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Stream, Arguments... arguments) {
  emulated::machine().run(grid, block, [&] { kernel(static_cast<Parameters>(arguments)...); });
  return 0;
}

}  // namespace tacit::mpc::device

#define threadIdx (::tacit::mpc::device::emulated::machine().thread_index())
#define blockIdx (::tacit::mpc::device::emulated::machine().block_index())
#define gridDim (::tacit::mpc::device::emulated::machine().grid_size())

inline void __syncthreads() { ::tacit::mpc::device::emulated::machine().barrier(); }

inline std::uint32_t __ballot_sync(std::uint32_t, int predicate) {
  struct Lane {
    int predicate;
    std::uint32_t result;
  } mine{predicate, 0};
  ::tacit::mpc::device::emulated::machine().in_warp(&mine, -1, [](void** lanes) {
    std::uint32_t all = 0;
    for (int i = 0; i < 32; ++i) all |= static_cast<Lane*>(lanes[i])->predicate != 0 ? 1U << i : 0U;
    for (int i = 0; i < 32; ++i) static_cast<Lane*>(lanes[i])->result = all;
  });
  return mine.result;
}

inline std::uint32_t __byte_perm(std::uint32_t x, std::uint32_t y, std::uint32_t selector) {
  const std::uint64_t both = static_cast<std::uint64_t>(y) << 32 | x;
  std::uint32_t out = 0;
  for (int i = 0; i < 4; ++i) {
    out |= static_cast<std::uint32_t>(both >> (selector >> (4 * i) & 7) * 8 & 0xFF) << (8 * i);
  }
  return out;
}

inline unsigned long long atomicAdd(unsigned long long* at, unsigned long long value) {
  const unsigned long long before = *at;
  *at = before + value;
  return before;
}

template <typename T>
inline T __ldg(const T* at) {
  return *at;
}
