#include "mpc/kernels/row_moves.h"

#include <algorithm>
#include <vector>

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 1 << 14;  // words that are worth waking a thread for

std::int64_t rows_of_grain(std::int64_t cols) { return 1 + kGrain / std::max<std::int64_t>(cols, 1); }

}  // namespace

void add_rows(const RingTensor& a, const RingTensor& b, RowNumbers from, RingTensor& out, Workers& workers) {
  const std::int64_t rows = out.shape().rows, cols = out.shape().cols, given = a.shape().rows;
  TACIT_CHECK(std::ssize(from) == rows && given <= rows && a.shape().cols == cols && b.shape().cols == cols);
  TACIT_CHECK(a.bits() >= out.bits() && b.bits() >= out.bits());
  const std::uint64_t ring = low_bits(out.bits());
  workers.for_ranges(rows, rows_of_grain(cols), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::uint64_t* more = b.data() + std::int64_t{from[static_cast<std::size_t>(row)]} * cols;
      std::uint64_t* to = out.data() + row * cols;
      if (row >= given) {
        for (std::int64_t col = 0; col < cols; ++col) to[col] = more[col] & ring;
        continue;
      }
      const std::uint64_t* own = a.data() + row * cols;
      for (std::int64_t col = 0; col < cols; ++col) to[col] = (own[col] + more[col]) & ring;
    }
  });
}

void place_rows(const RingTensor& a, RowNumbers to, RingTensor& out, Workers& workers) {
  TACIT_CHECK(a.bits() == out.bits());
  place_rows(a.view(), to, out, workers);
}

void place_rows(RingView a, RowNumbers to, RingTensor& out, Workers& workers) {
  const std::int64_t rows = a.shape.rows, cols = a.shape.cols, places = out.shape().rows;
  TACIT_CHECK(std::ssize(to) == rows && places <= rows && out.shape().cols == cols && (a.col_stride == 1 || cols <= 1));
  const std::uint64_t ring = low_bits(out.bits());
  workers.for_ranges(rows, rows_of_grain(cols), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t place = to[static_cast<std::size_t>(row)];
      if (place >= places) continue;
      const std::uint64_t* from = a.words + row * a.row_stride;
      std::uint64_t* at = out.data() + place * cols;
      for (std::int64_t col = 0; col < cols; ++col) at[col] = from[col] & ring;
    }
  });
}

// Each range is summed up alone, and then gets the sum of all ranges before it.
void sum_up(RingTensor& rows, Workers& workers) {
  const std::int64_t count = rows.shape().rows, cols = rows.shape().cols;
  const std::uint64_t ring = low_bits(rows.bits());
  const std::int64_t pieces = std::clamp<std::int64_t>(count / rows_of_grain(cols), 1, workers.threads());
  const auto begin_of = [&](std::int64_t piece) { return count * piece / pieces; };
  const auto add = [&](const std::uint64_t* from, std::uint64_t* to) {
    for (std::int64_t col = 0; col < cols; ++col) to[col] = (to[col] + from[col]) & ring;
  };
  workers.for_each(pieces, [&](std::int64_t piece) {
    for (std::int64_t row = begin_of(piece) + 1; row < begin_of(piece + 1); ++row) {
      add(rows.data() + (row - 1) * cols, rows.data() + row * cols);
    }
  });
  if (pieces == 1) return;
  std::vector<std::uint64_t> before(static_cast<std::size_t>(pieces * cols));
  for (std::int64_t piece = 1; piece < pieces; ++piece) {
    std::uint64_t* sum = before.data() + piece * cols;
    std::copy_n(sum - cols, cols, sum);
    add(rows.data() + (begin_of(piece) - 1) * cols, sum);
  }
  workers.for_each(pieces, [&](std::int64_t piece) {
    for (std::int64_t row = begin_of(piece); piece > 0 && row < begin_of(piece + 1); ++row) {
      add(before.data() + piece * cols, rows.data() + row * cols);
    }
  });
}

void take_differences(RingTensor& rows, Workers& workers) {
  const std::int64_t cols = rows.shape().cols;
  const std::uint64_t ring = low_bits(rows.bits());
  workers.for_ranges(cols, 1 + kGrain / std::max<std::int64_t>(rows.shape().rows, 1),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t row = rows.shape().rows - 1; row > 0; --row) {
                         std::uint64_t* to = rows.data() + row * cols;
                         for (std::int64_t col = begin; col < end; ++col) to[col] = (to[col] - to[col - cols]) & ring;
                       }
                     });
}

void scale_rows(const RingTensor& a, RingView by, RingTensor& out, Workers& workers) {
  const std::int64_t cols = out.shape().cols;
  TACIT_CHECK(a.shape() == out.shape() && by.shape == (Shape{out.shape().rows, 1}) && a.bits() >= out.bits());
  const std::uint64_t ring = low_bits(out.bits());
  workers.for_ranges(out.shape().rows, rows_of_grain(cols), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::uint64_t factor = by.at(row, 0);
      const std::uint64_t* from = a.data() + row * cols;
      std::uint64_t* to = out.data() + row * cols;
      for (std::int64_t col = 0; col < cols; ++col) to[col] = from[col] * factor & ring;
    }
  });
}

}  // namespace tacit::mpc
