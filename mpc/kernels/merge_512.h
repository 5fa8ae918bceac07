// The end of a tile on AVX-512: eight sums of a row go where the tile's target says.
//
// Do not call an inline function of the standard library here, for the reason in loops_body.h.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "mpc/kernels/tiles.h"

namespace tacit::mpc {
namespace {

constexpr int kLanes = 8;

// The columns that exist of the vector that begins at column `first`.
inline __mmask8 existing(std::int64_t cols, std::int64_t first) {
  const std::int64_t rest = cols - first;
  if (rest >= kLanes) return 0xFF;
  return static_cast<__mmask8>(rest <= 0 ? 0 : (1 << rest) - 1);
}

inline void merge(__m512i sum, int row, int vector, const TileTarget& target) {
  const __mmask8 cols = existing(target.cols, vector * kLanes);
  std::uint64_t* out = target.words + row * target.stride + vector * kLanes;
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(target.mask));
  if (target.into != Into::kSet) {
    const __m512i before = _mm512_maskz_loadu_epi64(cols, out);
    sum = target.into == Into::kAdd ? _mm512_add_epi64(before, sum) : _mm512_sub_epi64(before, sum);
  }
  _mm512_mask_storeu_epi64(out, cols, _mm512_and_si512(sum, mask));
}

}  // namespace
}  // namespace tacit::mpc
