#include "mpc/kernels/matmul_block.h"

#include <algorithm>

#include "mpc/kernels/matmul_wide.h"
#include "mpc/kernels/panel_memory.h"

namespace tacit::mpc {

namespace {

// Rows that lie as a tile reads them need no panel, unless many panels of columns read them again.
bool read_in_place(const Tiles& tiles, RingView a, RingView b) {
  constexpr std::int64_t kReadings = 2;
  return tiles.reads_in_place && (a.col_stride == 1 || a.shape.cols == 1) && b.shape.cols <= kReadings * tiles.cols;
}

// How a block is cut along the inner dimension.
struct Parts {
  std::int64_t depth, deepest;

  Parts(const Tiles& tiles, std::int64_t all) : depth(all) {
    const std::int64_t count = ceil_div(depth, tiles.deepest);
    deepest = ceil_div(ceil_div(depth, count), tiles.depth_step) * tiles.depth_step;
  }
  std::int64_t count() const { return ceil_div(depth, deepest); }
  std::int64_t begin(std::int64_t part) const { return part * deepest; }
  std::int64_t size(std::int64_t part) const { return std::min(deepest, depth - begin(part)); }
};

class Block {
 public:
  Block(const Tiles& tiles, RingView a, RingView b)
      : tiles_(tiles),
        a_(a),
        b_(b),
        parts_(tiles, a.shape.cols),
        in_place_(read_in_place(tiles, a, b)),
        once_(tiles.multiply_once != nullptr && b.shape.cols <= tiles.cols / 2) {}

  void multiply(Into into, std::uint64_t mask, std::uint64_t* out, std::int64_t out_stride) {
    // All of b's panels where they fit the cache: then a is read once along whole rows.
    const std::int64_t at_once = parts_.count() * part_words() <= kCachedWords ? parts_.count() : 1;
    WordMemory cols(at_once * part_words());
    WordMemory rows(in_place_ || once_ ? 0 : tiles_.rows * tiles_.forms * panel_stride(parts_.deepest));
    const std::int64_t row_panels = ceil_div(a_.shape.rows, tiles_.rows);
    for (std::int64_t first = 0; first < parts_.count(); first += at_once) {
      const std::int64_t last = std::min(first + at_once, parts_.count());
      for (std::int64_t part = first; part < last; ++part) {
        pack_cols(part, cols.data() + (part - first) * part_words());
      }
      for (std::int64_t panel = 0; panel < row_panels; ++panel) {
        const std::int64_t row = a_.shape.rows * panel / row_panels;
        const std::int64_t count = a_.shape.rows * (panel + 1) / row_panels - row;
        for (std::int64_t part = first; part < last; ++part) {
          const TileTarget target{out + row * out_stride, out_stride, b_.shape.cols,
                                  part == 0 || into != Into::kSet ? into : Into::kAdd, mask};
          multiply_panel(row, count, part, rows.data(), cols.data() + (part - first) * part_words(), target);
        }
      }
    }
  }

 private:
  static constexpr std::int64_t kCachedWords = 1 << 16;

  std::int64_t panel_words() const { return tiles_.cols * tiles_.forms * parts_.deepest; }
  std::int64_t part_words() const { return ceil_div(b_.shape.cols, tiles_.cols) * panel_words(); }

  void pack_cols(std::int64_t part, std::uint64_t* to) const {
    tiles_.pack_cols(b_.words + parts_.begin(part) * b_.row_stride, b_.row_stride, b_.col_stride, parts_.size(part),
                     b_.shape.cols, to, panel_words());
  }

  // Some rows of a part by all its columns.
  void multiply_panel(std::int64_t row, std::int64_t count, std::int64_t part, std::uint64_t* packed,
                      const std::uint64_t* cols, TileTarget target) const {
    const std::uint64_t* panel = a_.words + row * a_.row_stride + parts_.begin(part) * a_.col_stride;
    std::int64_t stride = a_.row_stride;
    if (once_) {
      return tiles_.multiply_once(count, parts_.size(part), panel, a_.row_stride, a_.col_stride, cols, target);
    }
    if (!in_place_) {
      stride = panel_stride(parts_.deepest);
      tiles_.pack_rows(panel, a_.row_stride, a_.col_stride, count, parts_.size(part), packed, stride);
      panel = packed;
    }
    for (std::int64_t left = b_.shape.cols; left > 0; left -= tiles_.cols) {
      target.cols = std::min<std::int64_t>(tiles_.cols, left);
      tiles_.multiply(count, parts_.size(part), panel, stride, cols, tiles_.cols * tiles_.forms, target);
      target.words += tiles_.cols;
      cols += panel_words();
    }
  }

  const Tiles& tiles_;
  RingView a_, b_;
  Parts parts_;
  bool in_place_, once_;
};

}  // namespace

void multiply_block(const Tiles& tiles, RingView a, RingView b, Into into, std::uint64_t mask, std::uint64_t* out,
                    std::int64_t out_stride) {
  if (suits_wide(tiles, a, b)) return multiply_wide(tiles, a, b, into, mask, out, out_stride);
  Block(tiles, a, b).multiply(into, mask, out, out_stride);
}

}  // namespace tacit::mpc
