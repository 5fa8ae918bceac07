#include "mpc/kernels/tiles_pack.h"

namespace tacit::mpc {

namespace {

constexpr int kRows = 4;
constexpr int kCols = 4;

template <int kTileRows>
void multiply_rows(std::int64_t depth, const Word* rows, std::int64_t stride, const Word* cols,
                   std::int64_t cols_stride, const TileTarget& target) {
  Word sums[std::size_t{kTileRows}][kCols] = {};
  for (std::int64_t k = 0; k < depth; ++k, ++rows, cols += cols_stride) {
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

void multiply(std::int64_t rows, std::int64_t depth, const Word* row_panel, std::int64_t stride, const Word* col_panel,
              std::int64_t cols_stride, const TileTarget& target) {
  switch (rows) {
    case 1:
      return multiply_rows<1>(depth, row_panel, stride, col_panel, cols_stride, target);
    case 2:
      return multiply_rows<2>(depth, row_panel, stride, col_panel, cols_stride, target);
    case 3:
      return multiply_rows<3>(depth, row_panel, stride, col_panel, cols_stride, target);
    default:
      return multiply_rows<4>(depth, row_panel, stride, col_panel, cols_stride, target);
  }
}

}  // namespace

const Tiles& tiles_portable() {
  static constexpr Tiles kTiles = {"portable",
                                   64,
                                   kRows,
                                   kCols,
                                   OneForm::kForms,
                                   1,
                                   kDeepest,
                                   true,
                                   pack_rows<OneForm, kRows>,
                                   pack_cols<OneForm, kCols>,
                                   multiply,
                                   nullptr};
  return kTiles;
}

}  // namespace tacit::mpc
