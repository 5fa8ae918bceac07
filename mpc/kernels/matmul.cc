#include "mpc/kernels/matmul.h"

#include <algorithm>
#include <utility>

#include "mpc/kernels/loops.h"
#include "mpc/kernels/matmul_block.h"
#include "mpc/kernels/matmul_vector.h"
#include "mpc/kernels/matmul_wide.h"
#include "mpc/kernels/panel_memory.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kTask = 1 << 19;          // multiplications that are worth waking a thread for
constexpr std::int64_t kTasksPerThread = 3;      // several, so that a delayed thread leaves little work to wait for
constexpr std::int64_t kFewestRows = 48;         // in a task: every task packs its columns anew
constexpr std::int64_t kFewestCols = 64;         // in a task: every task packs its rows anew
constexpr std::int64_t kFewestDepth = 1 << 11;   // in a part of the inner dimension: every part has its own sums
constexpr std::int64_t kTransposingDepth = 256;  // least depth at which transposing the result costs little

bool along_rows(RingView view) { return view.col_stride == 1 || view.shape.cols == 1; }

// Tiles read the rows of one operand word by word along the inner dimension, in place if they can, and the columns of
// the other 16 side by side, packed. (a·b)ᵀ = bᵀ·aᵀ exchanges the parts, where that spares transposing the larger
// operand.
bool better_transposed(RingView a, RingView b) {
  if (a.shape.cols < kTransposingDepth) return false;
  const bool a_along_depth = along_rows(a), b_along_depth = !along_rows(b);
  if (a_along_depth != b_along_depth) return b_along_depth;
  const bool a_is_larger = a.shape.rows > b.shape.cols;
  return a_along_depth ? !a_is_larger && a.shape.rows != b.shape.cols : a_is_larger;
}

// How the result and the inner dimension are cut into tasks.
struct Cut {
  std::int64_t rows, cols, depth;  // into so many parts

  std::int64_t tasks() const { return rows * cols * depth; }
};

Cut cut(Shape out, std::int64_t depth, std::int64_t most_cols, int threads) {
  Cut cut{1, ceil_div(out.cols, most_cols), 1};
  if (threads == 1) return cut;
  const std::int64_t most = std::min(out.size() * depth * Workers::kFinest / kTask, threads * kTasksPerThread);
  if (cut.cols < most) cut.rows = std::clamp<std::int64_t>(out.rows / kFewestRows, 1, ceil_div(most, cut.cols));
  if (cut.tasks() < most) {
    cut.cols = std::max(cut.cols, std::min(ceil_div(most, cut.rows), out.cols / kFewestCols));
  }
  if (cut.tasks() < std::min<std::int64_t>(most, threads)) {
    cut.depth = std::clamp<std::int64_t>(depth / kFewestDepth, 1, ceil_div(threads, cut.tasks()));
  }
  return cut;
}

struct Range {
  std::int64_t begin, size;
};

// Part i of `count` cut into `parts`, at multiples of `step`.
Range range(std::int64_t count, std::int64_t parts, std::int64_t i, std::int64_t step) {
  const std::int64_t steps = ceil_div(count, step);
  const std::int64_t begin = std::min(count, steps * i / parts * step);
  return {begin, std::min(count, steps * (i + 1) / parts * step) - begin};
}

// a·b, as cut.depth summands. Summand i goes to out_of(i), in rows without gaps.
template <class OutOf>
void multiply_blocks(const Tiles& tiles, RingView a, RingView b, const Cut& cut, Into into, std::uint64_t mask,
                     const OutOf& out_of, Workers& workers) {
  const auto multiply_task = [&](std::int64_t task) {
    const std::int64_t along = task / (cut.rows * cut.cols), block = task % (cut.rows * cut.cols);
    const Range rows = range(a.shape.rows, cut.rows, block / cut.cols, tiles.rows);
    const Range cols = range(b.shape.cols, cut.cols, block % cut.cols, tiles.cols);
    const Range depth = range(a.shape.cols, cut.depth, along, 1);
    if (rows.size == 0 || cols.size == 0) return;
    multiply_block(tiles, part(a, rows.begin, depth.begin, {rows.size, depth.size}),
                   part(b, depth.begin, cols.begin, {depth.size, cols.size}), into, mask,
                   out_of(along) + rows.begin * b.shape.cols + cols.begin, b.shape.cols);
  };
  const std::int64_t multiplications = a.shape.size() * b.shape.cols;
  workers.for_each(cut.tasks(), multiply_task, Workers::who(multiplications, kTask));
}

// Merges n words, `stride` words apart, into the row `out`.
void merge_row(const std::uint64_t* words, std::int64_t stride, Into into, std::uint64_t mask, std::uint64_t* out,
               std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t sum = words[i * stride];
    out[i] = (into == Into::kSet ? sum : into == Into::kAdd ? out[i] + sum : out[i] - sum) & mask;
  }
}

// In squares, so that both sides are read and written a cache line at a time.
void merge_transposed(const std::uint64_t* words, Into into, RingTensor& out, Workers& workers) {
  constexpr std::int64_t kSide = 16, kGrain = 1 << 14;
  const auto [rows, cols] = out.shape();
  const std::int64_t bands = ceil_div(rows, kSide);
  workers.for_ranges(bands, kGrain / (cols * kSide) + 1,
                     [&, rows = rows, cols = cols](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t col = 0; col < cols; col += kSide) {
                         for (std::int64_t row = begin * kSide; row < std::min(rows, end * kSide); ++row) {
                           merge_row(words + col * rows + row, rows, into, low_bits(out.bits()),
                                     out.data() + row * cols + col, std::min(kSide, cols - col));
                         }
                       }
                     });
}

void multiply_general(const Tiles& tiles, RingView a, RingView b, Into into, RingTensor& out, Workers& workers) {
  const std::uint64_t mask = low_bits(out.bits());
  const bool transposed = better_transposed(a, b);
  if (transposed) {
    std::swap(a, b);
    a = a.transposed();
    b = b.transposed();
  }
  const std::int64_t most_cols = suits_wide(tiles, a, b) ? b.shape.cols : kBlockCols;
  const Cut parts = cut({a.shape.rows, b.shape.cols}, a.shape.cols, most_cols, workers.threads());
  if (!transposed && parts.depth == 1) {
    return multiply_blocks(
        tiles, a, b, parts, into, mask, [&](std::int64_t) { return out.data(); }, workers);
  }
  const std::int64_t size = out.size();
  WordMemory sums(parts.depth * size);
  multiply_blocks(
      tiles, a, b, parts, Into::kSet, mask, [&](std::int64_t along) { return sums.data() + along * size; }, workers);
  for (std::int64_t along = 0; along < parts.depth; ++along) {
    const Into how = along == 0 || into != Into::kSet ? into : Into::kAdd;
    if (transposed) {
      merge_transposed(sums.data() + along * size, how, out, workers);
    } else {
      merge_row(sums.data() + along * size, 1, how, mask, out.data(), size);
    }
  }
}

}  // namespace

void matmul(RingView a, RingView b, Into into, RingTensor& out, Workers& workers) {
  matmul(a, b, into, out, workers, best_instructions());
}

void matmul(RingView a, RingView b, Into into, RingTensor& out, Workers& workers, Instructions instructions) {
  TACIT_CHECK(a.shape.cols == b.shape.rows);
  TACIT_CHECK((out.shape() == Shape{a.shape.rows, b.shape.cols}));
  if (out.size() == 0) return;
  const std::uint64_t mask = low_bits(out.bits());
  if (a.shape.cols == 0) {
    if (into == Into::kSet) std::fill_n(out.data(), out.size(), 0);
  } else if (b.shape.cols == 1) {
    multiply_vector(a, b, into, mask, out.data(), workers, instructions);
  } else if (a.shape.rows == 1) {
    multiply_vector(b.transposed(), a.transposed(), into, mask, out.data(), workers, instructions);
  } else {
    const TileTask task = {instructions, out.bits(), a.shape.rows, a.shape.cols, b.shape.cols};
    multiply_general(tiles(task), a, b, into, out, workers);
  }
}

}  // namespace tacit::mpc
