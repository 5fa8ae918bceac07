#include "mpc/functions/maximum.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

// The bits of the number of wins, 0 … columns - 1; and its bits as a sum of differences.
int win_bits(std::int64_t columns) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(columns - 1))); }
int sum_bits(std::int64_t columns) { return win_bits(columns) + 2; }

CellTable all_won(std::int64_t columns) {
  return CellTable::of_values(win_bits(columns), [=](std::int64_t wins) { return wins == columns - 1 ? 1.0 : 0.0; });
}

// Row a has 1 for every pair (a, b) with a as its first column; or, if `first` is false, -1 for every
// pair (b, a) with a as its second column.
SparseMatrix pairs_by_column(std::int64_t columns, bool first) {
  SparseMatrix matrix{{columns, pairs_of(columns)}, {0}, {}, {}};
  for (std::int64_t a = 0; a < columns; ++a) {
    for (std::int64_t b = first ? a + 1 : 0; b < (first ? columns : a); ++b) {
      matrix.cols.push_back(static_cast<std::int32_t>(pair_index(std::min(a, b), std::max(a, b), columns)));
      matrix.values.push_back(first ? 1 : ~std::uint64_t{0});
    }
    matrix.row_begin.push_back(matrix.entries());
  }
  return matrix;
}

// For each column a: the number of pairs (a, b) with a 1 in `set`, plus the number of pairs (b, a) with
// a 0 in `unset`. For the maximum the number is columns - 1, as it wins all of its pairs.
Share wins(Session& session, const Share& set, const Share& unset, std::int64_t columns) {
  const auto summed = [&](const Share& bits, bool first) {
    return transposed(matmul(pairs_by_column(columns, first), transposed(bits), session.workers()));
  };
  Matrix before(set.shape().rows, columns);
  for (Eigen::Index a = 0; a < columns; ++a) before.col(a).setConstant(static_cast<double>(a));
  return summed(set, true) + summed(unset, false) +
         constant(session, before, {set.ring_bits(), 0}, "the number of columns before");
}

std::vector<Comparison> comparisons(const Shown& shown, const Near* near) {
  const int hi = shown.ring_bits() - 1;
  if (near == nullptr) return {{shown, hi}};
  const auto span = static_cast<std::int64_t>(std::ldexp(near->span, shown.fraction_bits()));
  return {{shown, hi}, {shown, hi, -span}, {shown, hi, span + 1}};
}

Largest single(Session& session, const Share& x, int k, int ring_bits, const Near* near) {
  const auto ones = [&](int bits) {
    return constant(session, Matrix::Ones(x.shape().rows, 1), {bits, 0}, "the only column");
  };
  Largest largest{narrow(x, k), ones(ring_bits), {}};
  if (near != nullptr) largest.near = ones(near->near_bits);
  return largest;
}

// The first pairs' bit is a >= b - span. The second pairs' bit is a > b + span, which means that b
// is not near a.
Share near_wins(Session& session, const std::vector<Bits>& bits, const Near& near, std::int64_t columns) {
  const int ring = columns == 2 ? near.near_bits : sum_bits(columns);
  return wins(session, indicator(session, bits[1], ring), indicator(session, bits[2], ring), columns);
}

Largest largest_of(Session& session, const Share& x, int whole_bits, int ring_bits, const Near* near) {
  const std::int64_t columns = x.shape().cols;
  const int k = maximum_ring_bits(x.fraction_bits(), whole_bits);
  TACIT_CHECK(columns >= 1 && x.ring_bits() >= k && ring_bits >= k);
  const double most = std::ldexp(1.0, whole_bits) - (near == nullptr ? 0 : near->span / 2);
  session.expect_between(x, -most, most, "maximum");
  if (columns == 1) return single(session, x, k, ring_bits, near);

  const Shown shown = show(session, narrow(x, k));
  const std::vector<Bits> bits = non_negative(session, comparisons(pair_differences(shown), near));
  const Masked factor = masked(session, shown);
  Largest largest;
  std::vector<Share> to_look_up;
  const auto looked_up = [&](const Share& count) { to_look_up.push_back(narrow(count, win_bits(columns))); };
  const bool at_once = columns <= kMostColumnsAtOnce;
  if (at_once) {
    const Winner winner = mpc::winner(session, bits.front(), factor, ring_bits);
    largest = {row_sums(winner.times), winner.which, {}};
  } else {
    const Share bit = indicator(session, bits.front(), sum_bits(columns));
    looked_up(wins(session, bit, bit, columns));
  }
  if (near != nullptr) {
    const Share count = near_wins(session, bits, *near, columns);
    if (columns == 2) {
      largest.near = count;
    } else {
      looked_up(count);
    }
  }
  if (to_look_up.empty()) return largest;
  const std::vector<Masked> counts = mask(session, to_look_up);
  if (!at_once) {
    const std::vector<Share> found =
        look_up(session, counts.front(), all_won(columns), ring_bits, std::span(&factor, 1));
    largest = {row_sums(found[1]), found[0], {}};
  }
  if (near != nullptr) largest.near = look_up(session, counts.back(), all_won(columns), near->near_bits).front();
  return largest;
}

}  // namespace

Largest maximum(Session& session, const Share& x, int whole_bits, int ring_bits) {
  return largest_of(session, x, whole_bits, ring_bits, nullptr);
}

Largest maximum_and_near(Session& session, const Share& x, int whole_bits, int ring_bits, Near near) {
  return largest_of(session, x, whole_bits, ring_bits, &near);
}

}  // namespace tacit::mpc
