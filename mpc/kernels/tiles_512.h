// Tiles of 16 columns, two 512-bit registers wide: included by those tiles_*.cc that have AVX-512.
//
// As in loops_body.h, nothing here may call an inline function of the standard library.
#pragma once

#include <immintrin.h>

#include "mpc/kernels/tiles_pack.h"

namespace tacit::mpc {
namespace {

constexpr int kCols = 16;
constexpr int kLanes = 8;
constexpr int kVectors = kCols / kLanes;

__m512i broadcast(const Word* word) { return _mm512_set1_epi64(static_cast<long long>(*word)); }
__m512i load(const Word* words) { return _mm512_loadu_si512(words); }

// The columns that exist of the vector that begins at column `first`.
__mmask8 existing(std::int64_t cols, int first) {
  const std::int64_t rest = cols - first;
  if (rest >= kLanes) return 0xFF;
  return static_cast<__mmask8>(rest <= 0 ? 0 : (1 << rest) - 1);
}

void merge(__m512i sum, int row, int vector, const TileTarget& target) {
  const __mmask8 cols = existing(target.cols, vector * kLanes);
  Word* out = target.words + row * target.stride + vector * kLanes;
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(target.mask));
  if (target.into != Into::kSet) {
    const __m512i before = _mm512_maskz_loadu_epi64(cols, out);
    sum = target.into == Into::kAdd ? _mm512_add_epi64(before, sum) : _mm512_sub_epi64(before, sum);
  }
  _mm512_mask_storeu_epi64(out, cols, _mm512_and_si512(sum, mask));
}

// Step: multiply_add(sum, a, b), which is one instruction or two; kName and kWidestRing of the tiles made with it.
template <class Step, int kTileRows, int kTileVectors>
void multiply_vectors(std::int64_t depth, const Word* rows, std::int64_t stride, const Word* cols,
                      const TileTarget& target) {
  __m512i sums[std::size_t{kTileRows}][std::size_t{kTileVectors}];
#pragma GCC unroll 12
  for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) sums[r][v] = _mm512_setzero_si512();
  }
  for (std::int64_t k = 0; k < depth; ++k, ++rows, cols += kCols) {
    __m512i b[std::size_t{kTileVectors}];
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) b[v] = load(cols + v * kLanes);
#pragma GCC unroll 12
    for (int r = 0; r < kTileRows; ++r) {
      const __m512i a = broadcast(rows + r * stride);
#pragma GCC unroll 2
      for (int v = 0; v < kTileVectors; ++v) sums[r][v] = Step::multiply_add(sums[r][v], a, b[v]);
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) merge(sums[r][v], r, v, target);
  }
}

template <class Step, int kTileRows>
void multiply(std::int64_t depth, const Word* rows, std::int64_t stride, const Word* cols, const TileTarget& target) {
  if (target.cols > kLanes) {
    multiply_vectors<Step, kTileRows, kVectors>(depth, rows, stride, cols, target);
  } else {
    multiply_vectors<Step, kTileRows, 1>(depth, rows, stride, cols, target);
  }
}

constexpr int kWholeRows = 12;  // 24 sums, 2 columns and a row in 32 registers
using Multiply = void (*)(std::int64_t, const Word*, std::int64_t, const Word*, const TileTarget&);

template <class Step>
struct WholeTiles {
  static constexpr Multiply kMultiply[kWholeRows] = {multiply<Step, 1>,  multiply<Step, 2>,  multiply<Step, 3>,
                                                     multiply<Step, 4>,  multiply<Step, 5>,  multiply<Step, 6>,
                                                     multiply<Step, 7>,  multiply<Step, 8>,  multiply<Step, 9>,
                                                     multiply<Step, 10>, multiply<Step, 11>, multiply<Step, 12>};
  static constexpr Tiles kTiles = {Step::kName,
                                   Step::kWidestRing,
                                   kWholeRows,
                                   kCols,
                                   OneForm::kForms,
                                   pack_rows<OneForm, kWholeRows>,
                                   pack_cols<OneForm, kCols>,
                                   kMultiply};
};

}  // namespace
}  // namespace tacit::mpc
