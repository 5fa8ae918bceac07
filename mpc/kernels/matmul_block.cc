#include "mpc/kernels/matmul_block.h"

#include <algorithm>
#include <memory>

namespace tacit::mpc {

namespace {

constexpr std::int64_t kCacheLine = 8;  // words

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// A buffer that begins at a cache line.
class Buffer {
 public:
  explicit Buffer(std::int64_t words)
      : memory_(std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(words + kCacheLine))) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get()) / sizeof(std::uint64_t);
    words_ = memory_.get() + (kCacheLine - address % kCacheLine) % kCacheLine;
  }
  std::uint64_t* words() { return words_; }

 private:
  std::unique_ptr<std::uint64_t[]> memory_;
  std::uint64_t* words_;
};

// Rows that lie as a tile reads them need no panel, unless many panels of columns read them again.
bool read_in_place(const Tiles& tiles, RingView a, RingView b) {
  constexpr std::int64_t kReadings = 2;
  return tiles.reads_in_place && (a.col_stride == 1 || a.shape.cols == 1) && b.shape.cols <= kReadings * tiles.cols;
}

// Of words in a panel of rows, which is read along several rows at once: a stride that is a large power of two would
// put all of them in one place of the cache.
std::int64_t panel_stride(std::int64_t depth) { return (ceil_div(depth, kCacheLine) | 1) * kCacheLine; }

}  // namespace

void multiply_block(const Tiles& tiles, RingView a, RingView b, Into into, std::uint64_t mask, std::uint64_t* out,
                    std::int64_t out_stride) {
  const std::int64_t rows = a.shape.rows, cols = b.shape.cols, depth = a.shape.cols;
  const std::int64_t parts = ceil_div(depth, tiles.deepest);
  const std::int64_t deepest = ceil_div(ceil_div(depth, parts), tiles.depth_step) * tiles.depth_step;
  const std::int64_t row_panels = ceil_div(rows, tiles.rows), col_panels = ceil_div(cols, tiles.cols);
  const std::int64_t packed_stride = panel_stride(deepest);
  const bool in_place = read_in_place(tiles, a, b);
  Buffer col_buffer(col_panels * tiles.cols * tiles.forms * deepest);
  Buffer row_buffer(in_place ? 0 : tiles.rows * tiles.forms * packed_stride);

  for (std::int64_t k = 0; k < depth; k += deepest) {
    const std::int64_t d = std::min(deepest, depth - k);
    const std::int64_t panel_words = tiles.cols * tiles.forms * deepest;
    tiles.pack_cols(b.words + k * b.row_stride, b.row_stride, b.col_stride, d, cols, col_buffer.words(), panel_words);
    const Into how = k == 0 || into != Into::kSet ? into : Into::kAdd;
    for (std::int64_t p = 0; p < row_panels; ++p) {
      const std::int64_t row = rows * p / row_panels, count = rows * (p + 1) / row_panels - row;
      const std::uint64_t* panel = a.words + row * a.row_stride + k * a.col_stride;
      std::int64_t stride = a.row_stride;
      if (!in_place) {
        tiles.pack_rows(panel, a.row_stride, a.col_stride, count, d, row_buffer.words(), packed_stride);
        panel = row_buffer.words();
        stride = packed_stride;
      }
      for (std::int64_t c = 0; c < col_panels; ++c) {
        const std::int64_t col = c * tiles.cols;
        const TileTarget target = {out + row * out_stride + col, out_stride,
                                   std::min<std::int64_t>(tiles.cols, cols - col), how, mask};
        tiles.multiply(count, d, panel, stride, col_buffer.words() + c * panel_words, target);
      }
    }
  }
}

}  // namespace tacit::mpc
