#include "mpc/functions/column_statistics.h"

#include <bit>

#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

constexpr int kDivisorBits = 12;

// 1 / rows, as an integer over 2^division_bits.
std::int64_t inverse_of(std::int64_t rows) { return ((std::int64_t{1} << division_bits(rows)) + rows / 2) / rows; }

Share divided(Session& session, const Share& x, std::int64_t rows, int more_bits) {
  const int bits = division_bits(rows);
  return session.drop(scale(x, inverse_of(rows), bits), bits + more_bits);
}

std::vector<Spec> column_specs(const Spec& x) {
  return std::vector<Spec>(static_cast<std::size_t>(x.shape.cols), Spec({x.shape.rows, 1}, x.format));
}

}  // namespace

int division_bits(std::int64_t rows) {
  TACIT_CHECK(rows >= 1);
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows - 1)));
  return std::has_single_bit(static_cast<std::uint64_t>(rows)) ? bits : bits + kDivisorBits;
}

Share sum_of_squares_by_column(Session& session, const Share& x) {
  TACIT_CHECK(x.shape().cols >= 1);
  std::vector<Share> by_column;
  for (std::int64_t c = 0; c < x.shape().cols; ++c) by_column.push_back(columns(x, c, c + 1));
  Share sums;
  for (const Masked& column : session.mask(by_column)) {
    const Share sum = session.matmul(column.transposed(), column);
    sums = sums.shape().cols == 0 ? sum : beside(sums, sum);
  }
  return sums;
}

Cost sum_of_squares_by_column_cost(const Spec& x, const CostSetting& setting) {
  const std::vector<Spec> columns = column_specs(x);
  Cost cost = mask_cost(columns, setting);
  for (const Spec& column : columns) {
    cost += matmul_cost(Spec(column.shape.transposed(), column.format), column, setting);
  }
  return cost;
}

Share mean_by_column(Session& session, const Share& x) { return divided(session, column_sums(x), x.shape().rows, 0); }

Share variance_by_column(Session& session, const Share& x) {
  const std::int64_t rows = x.shape().rows;
  const Share mean = session.lift(session.show(mean_by_column(session, x)), x.ring_bits());
  const Share squares = sum_of_squares_by_column(session, x - repeat_rows(mean, rows));
  return divided(session, squares, rows, x.fraction_bits());
}

Cost variance_by_column_cost(const Spec& x, const CostSetting& setting) {
  const int t = division_bits(x.shape.rows);
  const Spec mean({1, x.shape.cols}, {x.format.ring_bits - t, x.format.fraction_bits});
  return show_cost(std::span(&mean, 1), setting) + lift_cost(mean, x.format.ring_bits, setting) +
         sum_of_squares_by_column_cost(x, setting);
}

}  // namespace tacit::mpc
