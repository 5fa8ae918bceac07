#include "mpc/kernels/matmul_vector.h"

#include <algorithm>
#include <vector>

#include "mpc/kernels/loops.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kMultiplications = 1 << 16;  // fewest that are worth waking a thread for
constexpr std::int64_t kFewestDepth = 64;           // in a part of the inner dimension: every part has its own sums

void merge(const Loops& loops, const std::uint64_t* sums, Into into, std::uint64_t mask, std::uint64_t* out,
           std::int64_t n) {
  switch (into) {
    case Into::kSet:
      return loops.reduce(sums, out, n, mask);
    case Into::kAdd:
      return loops.add(out, sums, out, n, mask);
    case Into::kSubtract:
      return loops.subtract(out, sums, out, n, mask);
  }
}

// The words of a column, one after the other: in place, or copied to `copy`.
const std::uint64_t* side_by_side(RingView x, std::vector<std::uint64_t>& copy) {
  if (x.row_stride == 1 || x.shape.rows == 1) return x.words;
  for (std::int64_t k = 0; k < x.shape.rows; ++k) copy.push_back(x.at(k, 0));
  return copy.data();
}

// m·vector for a matrix m that lies column by column. Each thread reads whole columns, one after the other: parts of
// columns would be read at a fraction of the memory's speed.
WordMemory combine_columns(const Loops& loops, RingView m, const std::uint64_t* vector, Workers& workers) {
  const std::int64_t rows = m.shape.rows, depth = m.shape.cols;
  const std::int64_t most = std::min(depth / kFewestDepth, rows * depth * Workers::kFinest / kMultiplications);
  const std::int64_t parts = std::clamp<std::int64_t>(most, 1, workers.threads());
  WordMemory sums(parts * rows);
  const auto combine_part = [&](std::int64_t part) {
    const std::int64_t begin = depth * part / parts, end = depth * (part + 1) / parts;
    loops.combine(m.words + begin * m.col_stride, m.col_stride, end - begin, rows, vector + begin,
                  sums.data() + part * rows);
  };
  workers.for_each(parts, combine_part, Workers::who(rows * depth, kMultiplications));
  for (std::int64_t part = 1; part < parts; ++part) {
    loops.add(sums.data(), sums.data() + part * rows, sums.data(), rows, ~std::uint64_t{0});
  }
  return sums;
}

}  // namespace

void multiply_vector(RingView m, RingView x, Into into, std::uint64_t mask, std::uint64_t* out, Workers& workers,
                     Instructions instructions) {
  const Loops& best = loops(instructions);
  const std::int64_t rows = m.shape.rows, depth = m.shape.cols;
  std::vector<std::uint64_t> copy;
  const std::uint64_t* vector = side_by_side(x, copy);
  if (m.col_stride != 1 && depth != 1) {
    return merge(best, combine_columns(best, m, vector, workers).data(), into, mask, out, rows);
  }
  WordMemory sums(rows);
  workers.for_ranges(rows, kMultiplications / depth + kWordBits, [&](std::int64_t begin, std::int64_t end) {
    const std::uint64_t* part = m.words + begin * m.row_stride;
    best.dot(part, m.row_stride, end - begin, depth, vector, sums.data() + begin);
    merge(best, sums.data() + begin, into, mask, out + begin, end - begin);
  });
}

}  // namespace tacit::mpc
