// vpmadd52luq adds the low 52 bits of a product of the low 52 bits of words. Sums of them wrap modulo 2^64, a multiple
// of 2^52: nothing is lost however many there are.
#include "mpc/kernels/tiles_512.h"

namespace tacit::mpc {

namespace {

struct Step52 {
  static constexpr const char* kName = "ifma";
  static constexpr int kWidestRing = 52;
  static __m512i multiply_add(__m512i sum, __m512i a, __m512i b) { return _mm512_madd52lo_epu64(sum, a, b); }
};

// GCC 12 warns of the uninitialised register in the intrinsic that takes no mask.
constexpr __mmask8 kAllLanes = 0xFF;

constexpr int kThriceRows = 6;  // 24 sums, 4 columns and 2 rows in 32 registers

// lower: the low 52 bits of products. upper: what is to be multiplied by 2^52, of which 12 bits count.
template <int kTileRows, int kTileVectors>
void multiply_thrice(std::int64_t depth, const Word* rows, std::int64_t stride, const Word* cols,
                     const TileTarget& target) {
  __m512i lower[std::size_t{kTileRows}][std::size_t{kTileVectors}],
      upper[std::size_t{kTileRows}][std::size_t{kTileVectors}];
#pragma GCC unroll 6
  for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) lower[r][v] = upper[r][v] = _mm512_setzero_si512();
  }
  const Word* seconds = rows + kThriceRows * stride;
  for (std::int64_t k = 0; k < depth; ++k, ++rows, ++seconds, cols += 2 * kCols) {
    __m512i b[std::size_t{kTileVectors}], b_second[std::size_t{kTileVectors}];
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) {
      b[v] = load(cols + v * kLanes);
      b_second[v] = load(cols + kCols + v * kLanes);
    }
#pragma GCC unroll 6
    for (int r = 0; r < kTileRows; ++r) {
      const __m512i a = broadcast(rows + r * stride), a_second = broadcast(seconds + r * stride);
#pragma GCC unroll 2
      for (int v = 0; v < kTileVectors; ++v) {
        lower[r][v] = _mm512_madd52lo_epu64(lower[r][v], a, b[v]);
        upper[r][v] = _mm512_madd52hi_epu64(upper[r][v], a, b[v]);
        upper[r][v] = _mm512_madd52hi_epu64(upper[r][v], a_second, b_second[v]);
      }
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kTileVectors; ++v) {
      merge(_mm512_add_epi64(lower[r][v], _mm512_maskz_slli_epi64(kAllLanes, upper[r][v], 52)), r, v, target);
    }
  }
}

template <int kTileRows>
void multiply_thrice(std::int64_t depth, const Word* rows, std::int64_t stride, const Word* cols,
                     const TileTarget& target) {
  if (target.cols > kLanes) {
    multiply_thrice<kTileRows, kVectors>(depth, rows, stride, cols, target);
  } else {
    multiply_thrice<kTileRows, 1>(depth, rows, stride, cols, target);
  }
}

constexpr Multiply kMultiplyThrice[kThriceRows] = {multiply_thrice<1>, multiply_thrice<2>, multiply_thrice<3>,
                                                   multiply_thrice<4>, multiply_thrice<5>, multiply_thrice<6>};

}  // namespace

const Tiles& tiles_ifma() { return WholeTiles<Step52>::kTiles; }

const Tiles& tiles_ifma_thrice() {
  static constexpr Tiles kTiles = {"ifma_thrice",
                                   64,
                                   kThriceRows,
                                   kCols,
                                   CrossTerms52::kForms,
                                   pack_rows<CrossTerms52, kThriceRows>,
                                   pack_cols<CrossTerms52, kCols>,
                                   kMultiplyThrice};
  return kTiles;
}

}  // namespace tacit::mpc
