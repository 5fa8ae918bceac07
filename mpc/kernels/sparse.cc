#include "mpc/kernels/sparse.h"

#include <fmt/format.h>

#include "mpc/kernels/loops.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kMultiplications = 1 << 16;  // fewest that are worth waking a thread for

void check_row_begins(const SparseMatrix& m) {
  if (m.shape.rows < 0 || m.shape.cols < 0) {
    throw ConfigError(fmt::format("a sparse matrix of {} x {}: neither may be negative", m.shape.rows, m.shape.cols));
  }
  if (std::ssize(m.row_begin) != m.shape.rows + 1) {
    throw ConfigError(fmt::format("a sparse matrix of {} rows has {} row limits; expected one more than rows, {}",
                                  m.shape.rows, m.row_begin.size(), m.shape.rows + 1));
  }
  if (m.cols.size() != m.values.size()) {
    throw ConfigError(fmt::format("a sparse matrix has {} columns but {} values; expected one of each per entry",
                                  m.cols.size(), m.values.size()));
  }
  if (m.row_begin.front() != 0) {
    throw ConfigError(fmt::format("a sparse matrix: row 0 begins at entry {}; expected 0", m.row_begin.front()));
  }
  for (std::size_t r = 0; r + 1 < m.row_begin.size(); ++r) {
    const std::int64_t begin = m.row_begin[r], end = m.row_begin[r + 1];
    if (end < begin) {
      throw ConfigError(fmt::format("a sparse matrix: row {} ends at entry {}, before its begin, {}", r, end, begin));
    }
    const bool last = r + 2 == m.row_begin.size();
    if (end > m.entries() || (last && end != m.entries())) {
      throw ConfigError(fmt::format("a sparse matrix: row {} ends at entry {}, but there are {}", r, end, m.entries()));
    }
  }
}

void check_columns(const SparseMatrix& m) {
  for (std::int64_t r = 0; r < m.shape.rows; ++r) {
    const std::int64_t begin = m.row_begin[static_cast<std::size_t>(r)];
    const std::int64_t end = m.row_begin[static_cast<std::size_t>(r) + 1];
    std::int64_t previous = -1;
    for (std::int64_t e = begin; e < end; ++e) {
      const std::int64_t col = m.cols[static_cast<std::size_t>(e)];
      if (col < 0 || col >= m.shape.cols) {
        throw ConfigError(fmt::format("a sparse matrix: row {}, entry {} is in column {}; expected 0 to {}", r, e, col,
                                      m.shape.cols - 1));
      }
      if (col <= previous) {
        throw ConfigError(
            fmt::format("a sparse matrix: row {}, entry {} is in column {} after column {}; expected "
                        "ascending columns, each once",
                        r, e, col, previous));
      }
      previous = col;
    }
  }
}

}  // namespace

SparseMatrix SparseMatrix::transposed() const {
  SparseMatrix t;
  t.shape = shape.transposed();
  t.fraction_bits = fraction_bits;
  t.row_begin.assign(static_cast<std::size_t>(shape.cols) + 1, 0);
  t.cols.resize(cols.size());
  t.values.resize(values.size());
  for (const std::int32_t col : cols) ++t.row_begin[static_cast<std::size_t>(col) + 1];
  for (std::size_t c = 1; c < t.row_begin.size(); ++c) t.row_begin[c] += t.row_begin[c - 1];
  std::vector<std::int64_t> next(t.row_begin.begin(), t.row_begin.end() - 1);
  for (std::int64_t r = 0; r < shape.rows; ++r) {  // in order, so the columns of the transposed ascend
    for (std::int64_t e = row_begin[static_cast<std::size_t>(r)]; e < row_begin[static_cast<std::size_t>(r) + 1]; ++e) {
      const auto from = static_cast<std::size_t>(e);
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(cols[from])]++);
      t.cols[to] = static_cast<std::int32_t>(r);
      t.values[to] = values[from];
    }
  }
  return t;
}

void check(const SparseMatrix& matrix) {
  check_row_begins(matrix);
  check_columns(matrix);
}

void matmul(const SparseMatrix& m, const RingTensor& x, RingTensor& out, Workers& workers) {
  TACIT_CHECK(m.shape.cols == x.shape().rows);
  TACIT_CHECK((out.shape() == Shape{m.shape.rows, x.shape().cols}));
  TACIT_CHECK(x.bits() >= out.bits());
  const std::int64_t n = x.shape().cols;
  if (out.size() == 0) return;
  const auto loop = loops(best_instructions()).combine_sparse;
  const std::int64_t per_row = n * (m.entries() / m.shape.rows + 1);
  workers.for_ranges(m.shape.rows, kMultiplications / per_row + 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t first = m.row_begin[static_cast<std::size_t>(r)];
      const std::int64_t entries = m.row_begin[static_cast<std::size_t>(r) + 1] - first;
      loop(m.values.data() + first, m.cols.data() + first, entries, x.data(), n, out.data() + r * n,
           low_bits(out.bits()));
    }
  });
}

}  // namespace tacit::mpc
