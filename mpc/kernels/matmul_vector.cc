#include "mpc/kernels/matmul_vector.h"

#include <algorithm>
#include <vector>

#include "mpc/kernels/loops.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kMultiplications = 1 << 16;  // fewest that are worth waking a thread for

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

}  // namespace

void multiply_vector(RingView m, RingView x, Into into, std::uint64_t mask, std::uint64_t* out, Workers& workers,
                     Instructions instructions) {
  const Loops& best = loops(instructions);
  const std::int64_t rows = m.shape.rows, depth = m.shape.cols;
  const bool along_rows = m.col_stride == 1 || depth == 1;
  std::vector<std::uint64_t> copy;
  const std::uint64_t* vector = side_by_side(x, copy);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(rows));
  workers.for_ranges(rows, kMultiplications / depth + kWordBits, [&](std::int64_t begin, std::int64_t end) {
    const std::uint64_t* part = m.words + begin * m.row_stride;
    if (along_rows) {
      best.dot(part, m.row_stride, end - begin, depth, vector, sums.data() + begin);
    } else {
      best.combine(part, m.col_stride, depth, end - begin, vector, sums.data() + begin);
    }
    merge(best, sums.data() + begin, into, mask, out + begin, end - begin);
  });
}

}  // namespace tacit::mpc
