#include "mpc/functions/maximum.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "mpc/functions/unheld.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

// Of the number of wins, 0 … columns - 1; and while it is a sum of differences.
int win_bits(std::int64_t columns) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(columns - 1))); }
int sum_bits(std::int64_t columns) { return win_bits(columns) + 2; }

CellTable all_won(std::int64_t columns) {
  return CellTable::of_values(win_bits(columns), [=](std::int64_t wins) { return wins == columns - 1 ? 1.0 : 0.0; });
}

// Row a has 1 for every pair (a, b) and -1 for every pair (b, a).
SparseMatrix pairs_by_column(std::int64_t columns) {
  SparseMatrix matrix{{columns, pairs_of(columns)}, {0}, {}, {}};
  for (std::int64_t a = 0; a < columns; ++a) {
    for (std::int64_t b = 0; b < columns; ++b) {
      if (b == a) continue;
      matrix.cols.push_back(static_cast<std::int32_t>(pair_index(std::min(a, b), std::max(a, b), columns)));
      matrix.values.push_back(b < a ? ~std::uint64_t{0} : 1);
    }
    matrix.row_begin.push_back(matrix.entries());
  }
  return matrix;
}

// Column a wins against b > a where the bit of (a, b) is set, and against b < a where that of (b, a) is not.
Share wins(Session& session, const Bits& first_not_less, std::int64_t columns) {
  const Share bits = session.indicator(first_not_less, sum_bits(columns));
  const Share differences = transposed(matmul(pairs_by_column(columns), transposed(bits), session.workers()));
  Matrix before(bits.shape().rows, columns);
  for (Eigen::Index a = 0; a < columns; ++a) before.col(a).setConstant(static_cast<double>(a));
  const Share sum = differences + session.constant(before, {sum_bits(columns), 0}, "the number of columns before");
  return narrow(sum, win_bits(columns));
}

}  // namespace

Largest maximum(Session& session, const Share& x, int whole_bits, int ring_bits) {
  const std::int64_t columns = x.shape().cols;
  const int k = maximum_ring_bits(x.fraction_bits(), whole_bits);
  TACIT_CHECK(columns >= 1 && x.ring_bits() >= k && ring_bits >= k);
  const double most = std::ldexp(1.0, whole_bits);
  session.expect_between(x, -most, most, "maximum");
  if (columns == 1) {
    const Matrix one = Matrix::Ones(x.shape().rows, 1);
    return {narrow(x, k), session.constant(one, {ring_bits, 0}, "the only column")};
  }
  const Shown shown = session.show(narrow(x, k));
  const Bits first_not_less = session.non_negative(pair_differences(shown), k - 1);
  const Masked factor = session.masked(shown);
  if (columns <= kMostColumnsAtOnce) {
    const Winner winner = session.winner(first_not_less, factor, ring_bits);
    return {row_sums(winner.times), winner.which};
  }
  const Masked won = session.mask(wins(session, first_not_less, columns));
  const std::vector<Share> found = session.look_up(won, all_won(columns), ring_bits, std::span(&factor, 1));
  return {row_sums(found[1]), found[0]};
}

Cost maximum_cost(const Spec& x, int whole_bits, int ring_bits, const CostSetting& setting) {
  const std::int64_t columns = x.shape.cols;
  if (columns == 1) return {};
  const int k = maximum_ring_bits(x.format.fraction_bits, whole_bits);
  const Spec shown(x.shape, {k, x.format.fraction_bits});
  const Shape pairs{x.shape.rows, pairs_of(columns)};
  const Session::Comparison comparison{unheld_shown({pairs, shown.format}), k - 1};
  const Cost compared =
      show_cost(std::span(&shown, 1), setting) + non_negative_cost(std::span(&comparison, 1), setting);
  if (columns <= kMostColumnsAtOnce) return compared + winner_cost(shown, ring_bits, setting);
  const Spec won(x.shape, {win_bits(columns), 0});
  return compared + indicator_cost(unheld_bits(pairs), sum_bits(columns), setting) +
         mask_cost(std::span(&won, 1), setting) +
         look_up_cost(won, all_won(columns), ring_bits, std::span(&shown, 1), setting);
}

}  // namespace tacit::mpc
