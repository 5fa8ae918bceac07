// vpmuludq multiplies the lower halves of words, so a product of words takes three.
#include <immintrin.h>

#include "mpc/kernels/tiles_pack.h"

namespace tacit::mpc {

namespace {

constexpr int kRows = 4;
constexpr int kCols = 4;

__m256i broadcast(const Word* word) { return _mm256_set1_epi64x(static_cast<long long>(*word)); }
__m256i load(const Word* words) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words)); }

template <int kTileRows>
void multiply_rows(std::int64_t depth, const Word* rows, std::int64_t stride, const Word* cols,
                   const TileTarget& target) {
  __m256i lower[std::size_t{kTileRows}], upper[std::size_t{kTileRows}];
#pragma GCC unroll 4
  for (int r = 0; r < kTileRows; ++r) lower[r] = upper[r] = _mm256_setzero_si256();
  const Word* seconds = rows + kRows * stride;
  for (std::int64_t k = 0; k < depth; ++k, ++rows, ++seconds, cols += 2 * kCols) {
    const __m256i b0 = load(cols), b1 = load(cols + kCols);
#pragma GCC unroll 4
    for (int r = 0; r < kTileRows; ++r) {
      const __m256i a0 = broadcast(rows + r * stride), a1 = broadcast(seconds + r * stride);
      lower[r] = _mm256_add_epi64(lower[r], _mm256_mul_epu32(a0, b0));
      upper[r] = _mm256_add_epi64(upper[r], _mm256_add_epi64(_mm256_mul_epu32(a0, b1), _mm256_mul_epu32(a1, b0)));
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kTileRows; ++r) {
    Word sums[kCols];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), _mm256_add_epi64(lower[r], _mm256_slli_epi64(upper[r], 32)));
    Word* out = target.words + r * target.stride;
    for (int c = 0; c < target.cols; ++c) out[c] = merged(out[c], sums[c], target.into, target.mask);
  }
}

void multiply(std::int64_t rows, std::int64_t depth, const Word* row_panel, std::int64_t stride, const Word* col_panel,
              std::int64_t, const TileTarget& target) {
  switch (rows) {
    case 1:
      return multiply_rows<1>(depth, row_panel, stride, col_panel, target);
    case 2:
      return multiply_rows<2>(depth, row_panel, stride, col_panel, target);
    case 3:
      return multiply_rows<3>(depth, row_panel, stride, col_panel, target);
    default:
      return multiply_rows<4>(depth, row_panel, stride, col_panel, target);
  }
}

}  // namespace

const Tiles& tiles_avx2() {
  static constexpr Tiles kTiles = {"avx2",
                                   64,
                                   kRows,
                                   kCols,
                                   UpperHalf::kForms,
                                   1,
                                   kDeepest,
                                   false,
                                   pack_rows<UpperHalf, kRows>,
                                   pack_cols<UpperHalf, kCols>,
                                   multiply,
                                   nullptr};
  return kTiles;
}

}  // namespace tacit::mpc
