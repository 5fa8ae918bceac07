// Tiles of 16 columns, two 512-bit registers wide: included by those tiles_*.cc that have AVX-512.
//
// Do not call an inline function of the standard library here, for the reason in loops_body.h.
#pragma once

#include <immintrin.h>

#include "mpc/kernels/merge_512.h"
#include "mpc/kernels/tiles_pack.h"

namespace tacit::mpc {
namespace {

constexpr int kCols = 16;
constexpr int kVectors = kCols / kLanes;

__m512i broadcast(const Word* word) { return _mm512_set1_epi64(static_cast<long long>(*word)); }
__m512i load(const Word* words) { return _mm512_loadu_si512(words); }

// The right operand's words, in a panel or in a matrix. The matrix's rows are `stride` words apart, and its tiles of columns lie
// side by side: the lines of the next tile come while this one is multiplied.
struct InPanel {
  static constexpr bool kPrefetches = false;
  const Word* words;
  static constexpr std::int64_t stride() { return kCols; }
};

struct InMatrix {
  static constexpr bool kPrefetches = true;
  const Word* words;
  std::int64_t stride_;
  std::int64_t stride() const { return stride_; }
};

// Step: multiply_add(sum, a, b), which is one instruction or two; kName and kWidestRing of the tiles made with it.
template <class Step, int kTileRows, int kTileVectors, class Cols>
void multiply_vectors(std::int64_t depth, const Word* rows, std::int64_t stride, Cols cols, const TileTarget& target) {
  __m512i sums[std::size_t{kTileRows}][std::size_t{kTileVectors}];
#pragma GCC unroll 12
  for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) sums[r][v] = _mm512_setzero_si512();
  }
  for (std::int64_t k = 0; k < depth; ++k, ++rows, cols.words += cols.stride()) {
    __m512i b[std::size_t{kTileVectors}];
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) {
      b[v] = load(cols.words + v * kLanes);
      if (Cols::kPrefetches) __builtin_prefetch(cols.words + kCols + kCacheLine - 1 + v * kLanes);
    }
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

template <class Step, int kTileRows, class Cols>
void multiply_rows(std::int64_t depth, const Word* rows, std::int64_t stride, Cols cols, const TileTarget& target) {
  if (target.cols > kLanes) {
    multiply_vectors<Step, kTileRows, kVectors>(depth, rows, stride, cols, target);
  } else {
    multiply_vectors<Step, kTileRows, 1>(depth, rows, stride, cols, target);
  }
}

constexpr int kRows = 12;  // 24 sums, 2 columns and a row in 32 registers

template <class Step, class Cols>
void multiply_by(std::int64_t rows, std::int64_t depth, const Word* row_panel, std::int64_t stride, Cols cols,
                 const TileTarget& target) {
  using MultiplyRows = void (*)(std::int64_t, const Word*, std::int64_t, Cols, const TileTarget&);
  static constexpr MultiplyRows kBy[kRows] = {
      multiply_rows<Step, 1, Cols>,  multiply_rows<Step, 2, Cols>,  multiply_rows<Step, 3, Cols>,
      multiply_rows<Step, 4, Cols>,  multiply_rows<Step, 5, Cols>,  multiply_rows<Step, 6, Cols>,
      multiply_rows<Step, 7, Cols>,  multiply_rows<Step, 8, Cols>,  multiply_rows<Step, 9, Cols>,
      multiply_rows<Step, 10, Cols>, multiply_rows<Step, 11, Cols>, multiply_rows<Step, 12, Cols>};
  kBy[rows - 1](depth, row_panel, stride, cols, target);
}

template <class Step>
void multiply(std::int64_t rows, std::int64_t depth, const Word* row_panel, std::int64_t stride, const Word* cols,
              std::int64_t cols_stride, const TileTarget& target) {
  if (cols_stride == kCols) return multiply_by<Step, InPanel>(rows, depth, row_panel, stride, {cols}, target);
  multiply_by<Step, InMatrix>(rows, depth, row_panel, stride, {cols, cols_stride}, target);
}

template <class Step>
constexpr Tiles kTilesOf = {Step::kName,
                            Step::kWidestRing,
                            kRows,
                            kCols,
                            1,
                            1,
                            kDeepest,
                            true,
                            pack_rows<OneForm, kRows>,
                            pack_cols<OneForm, kCols>,
                            multiply<Step>,
                            nullptr};

}  // namespace
}  // namespace tacit::mpc
