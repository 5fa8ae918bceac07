#include "mpc/kernels/tiles_pack.h"

namespace tacit::mpc {

namespace {

constexpr int kRows = 4;
constexpr int kCols = 4;

template <int kTileRows>
void multiply(std::int64_t depth, const Word* rows, std::int64_t stride, const Word* cols, const TileTarget& target) {
  Word sums[std::size_t{kTileRows}][kCols] = {};
  for (std::int64_t k = 0; k < depth; ++k, ++rows, cols += kCols) {
#pragma GCC unroll 4
    for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 4
      for (int c = 0; c < kCols; ++c) sums[r][c] += rows[r * stride] * cols[c];
    }
  }
  for (int r = 0; r < kTileRows; ++r) {
    Word* out = target.words + r * target.stride;
    for (int c = 0; c < target.cols; ++c) out[c] = merged(out[c], sums[r][c], target.into, target.mask);
  }
}

using Multiply = void (*)(std::int64_t, const Word*, std::int64_t, const Word*, const TileTarget&);
constexpr Multiply kMultiply[kRows] = {multiply<1>, multiply<2>, multiply<3>, multiply<4>};

}  // namespace

const Tiles& tiles_portable() {
  static constexpr Tiles kTiles = {
      "portable", 64, kRows, kCols, OneForm::kForms, pack_rows<OneForm, kRows>, pack_cols<OneForm, kCols>, kMultiply};
  return kTiles;
}

}  // namespace tacit::mpc
