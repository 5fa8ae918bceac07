#include "mpc/kernels/matmul_wide.h"

#include <algorithm>

#include "mpc/kernels/panel_memory.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kRowPanels = 2;  // with more panels, the kernel would read the matrix's words too often

// Rows of the matrix at once. One row panel does little with a word, so that memory is the limit: the processor reads ahead in a
// few rows at a time. Two row panels keep the sums of a block's rows in registers.
constexpr std::int64_t kRowsOfOnePanel = 16, kRowsOfMore = 64;

class WideBlock {
 public:
  WideBlock(const Tiles& tiles, RingView a, RingView b)
      : tiles_(tiles),
        a_(a),
        b_(b),
        row_panels_(ceil_div(a.shape.rows, tiles.rows)),
        whole_(b.shape.cols / tiles.cols * tiles.cols),
        most_depth_(row_panels_ == 1 ? kRowsOfOnePanel : kRowsOfMore),
        row_stride_(panel_stride(most_depth_)),
        rows_(row_panels_ * tiles.rows * row_stride_),
        last_cols_(tiles.cols * most_depth_) {}

  void multiply(Into into, std::uint64_t mask, std::uint64_t* out, std::int64_t out_stride) {
    for (std::int64_t begin = 0; begin < a_.shape.cols; begin += most_depth_) {
      const std::int64_t depth = std::min(most_depth_, a_.shape.cols - begin);
      pack_rows(begin, depth);
      const std::uint64_t* from = b_.words + begin * b_.row_stride;
      const TileTarget target{out, out_stride, tiles_.cols, begin == 0 || into != Into::kSet ? into : Into::kAdd, mask};
      for (std::int64_t col = 0; col < whole_; col += tiles_.cols) {
        multiply_panels(depth, from + col, b_.row_stride, at(target, col));
      }
      if (whole_ == b_.shape.cols) continue;
      tiles_.pack_cols(from + whole_, b_.row_stride, 1, depth, b_.shape.cols - whole_, last_cols_.data(), 0);
      multiply_panels(depth, last_cols_.data(), tiles_.cols, at(target, whole_));
    }
  }

 private:
  std::int64_t row_of(std::int64_t panel) const { return a_.shape.rows * panel / row_panels_; }
  std::uint64_t* rows_of(std::int64_t panel) { return rows_.data() + panel * tiles_.rows * row_stride_; }

  void pack_rows(std::int64_t begin, std::int64_t depth) {
    for (std::int64_t panel = 0; panel < row_panels_; ++panel) {
      tiles_.pack_rows(a_.words + row_of(panel) * a_.row_stride + begin * a_.col_stride, a_.row_stride, a_.col_stride,
                       row_of(panel + 1) - row_of(panel), depth, rows_of(panel), row_stride_);
    }
  }

  TileTarget at(TileTarget target, std::int64_t col) const {
    target.words += col;
    target.cols = std::min<std::int64_t>(tiles_.cols, b_.shape.cols - col);
    return target;
  }

  // All rows by one panel of columns, which stays in the innermost cache.
  void multiply_panels(std::int64_t depth, const std::uint64_t* cols, std::int64_t cols_stride, TileTarget target) {
    for (std::int64_t panel = 0; panel < row_panels_; ++panel) {
      const std::int64_t count = row_of(panel + 1) - row_of(panel);
      tiles_.multiply(count, depth, rows_of(panel), row_stride_, cols, cols_stride, target);
      target.words += count * target.stride;
    }
  }

  const Tiles& tiles_;
  RingView a_, b_;
  std::int64_t row_panels_, whole_, most_depth_, row_stride_;
  WordMemory rows_, last_cols_;
};

}  // namespace

bool suits_wide(const Tiles& tiles, RingView a, RingView b) {
  return tiles.reads_in_place && b.col_stride == 1 && b.shape.cols >= tiles.cols &&
         a.shape.rows <= kRowPanels * tiles.rows;
}

void multiply_wide(const Tiles& tiles, RingView a, RingView b, Into into, std::uint64_t mask, std::uint64_t* out,
                   std::int64_t out_stride) {
  WideBlock(tiles, a, b).multiply(into, mask, out, out_stride);
}

}  // namespace tacit::mpc
