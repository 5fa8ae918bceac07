// Words as limbs of 8 bits.
//
// a = Σ a_i·2^(8i), b = Σ b_j·2^(8j). The weight w of a·b is the sum of a_i·b_j over i + j = w. Modulo 2^k the weights
// 0 … L-1 count, for L = k/8 rounded up: L(L+1)/2 products of bytes. A sum over a depth of kDeepest of at most 8
// products of bytes stays below 2^31, so the behaviour of a matrix unit on overflow does not matter.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

constexpr int kDeepest = 4096;
static_assert(8LL * 255 * 255 * kDeepest < 1LL << 31);

// limbs[i] holds byte i of four words, in their order. The words are neighbours along the inner dimension.
template <int kLimbs>
__device__ __forceinline__ void limbs_of(const Word (&words)[4], std::uint32_t (&limbs)[kLimbs]) {
#pragma unroll
  for (int half = 0; half < (kLimbs + 3) / 4; ++half) {
    std::uint32_t x[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) x[i] = static_cast<std::uint32_t>(words[i] >> (32 * half));
    const std::uint32_t low01 = __byte_perm(x[0], x[1], 0x5140), low23 = __byte_perm(x[2], x[3], 0x5140);
    const std::uint32_t high01 = __byte_perm(x[0], x[1], 0x7362), high23 = __byte_perm(x[2], x[3], 0x7362);
    const std::uint32_t all[4] = {__byte_perm(low01, low23, 0x5410), __byte_perm(low01, low23, 0x7632),
                                  __byte_perm(high01, high23, 0x5410), __byte_perm(high01, high23, 0x7632)};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (4 * half + i < kLimbs) limbs[4 * half + i] = all[i];
    }
  }
}

}  // namespace tacit::mpc::device
