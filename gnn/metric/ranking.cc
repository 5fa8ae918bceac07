#include "gnn/metric/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/arithmetic/quotients.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostPairsAtOnce = 1 << 20;

mpc::Share rows_of(const mpc::Share& column, std::int64_t begin, std::int64_t end) {
  return mpc::transposed(mpc::columns(mpc::transposed(column), begin, end));
}

// A sum for each node of later blocks, cut into blocks.
void add_to(std::vector<mpc::Share>& blocks, std::size_t from, const mpc::Share& row) {
  std::int64_t begin = 0;
  for (std::size_t i = from; i < blocks.size(); ++i) {
    const std::int64_t end = begin + blocks[i].shape().cols;
    blocks[i] = blocks[i] + mpc::columns(row, begin, end);
    begin = end;
  }
}

}  // namespace

mpc::Share shares_of_sum(mpc::Session& session, const mpc::Share& y, double most) {
  const int halvings = halvings_of(most);
  const mpc::Share inverted = inverse(session, mpc::scale(mpc::column_sums(y), 1, halvings));
  const std::vector<mpc::Masked> masked =
      mpc::mask(session, std::array{inverted, mpc::scale(mpc::transposed(y), 1, halvings)});
  const mpc::Share exact = mpc::product(session, mpc::repeat_cols(masked[0], y.shape().rows), masked[1]);
  return in_words(session, {mpc::drop(session, exact, exact.fraction_bits() - kQuotientBits)}).front();
}

mpc::Share weighted_sum(mpc::Session& session, const mpc::Share& weights, const mpc::Share& numbers) {
  const std::vector<mpc::Masked> masked = mpc::mask(session, in_words(session, {weights, mpc::transposed(numbers)}));
  return mpc::matmul(session, masked[0], masked[1]);
}

Ranking::Ranking(Arithmetic& arithmetic, Metric metric, const Tensor& y, std::int64_t of_class)
    : metric_(metric), class_(of_class), nodes_(y.shape().rows) {
  mpc::Session& session = arithmetic.session();
  y_ = whole_numbers(arithmetic, Tensor(mpc::columns(y.share(), of_class, of_class + 1), 1, y.name()));
  if (metric_ == Metric::kAveragePrecision) {
    weights_ = shares_of_sum(session, y_, static_cast<double>(nodes_));
    return;
  }
  const mpc::Share positive = mpc::column_sums(y_);
  const mpc::Share negative = mpc::add_public_units(session, -positive, nodes_);
  const std::vector<mpc::Masked> masked = mpc::mask(session, std::array{positive, negative});
  pairs_ = mpc::product(session, masked[0], masked[1]);
}

// Each node of a block is compared with those of its block and of all later ones. A comparison with a later block counts
// for both nodes.
Ranking::Counts Ranking::counted(mpc::Session& session, const mpc::Share& score) const {
  const int ring = mpc::room_for(0, static_cast<double>(nodes_));
  const bool weighs = metric_ == Metric::kAveragePrecision;
  const mpc::Shown shown = mpc::show(session, score);
  const std::int64_t block = std::max<std::int64_t>(1, kMostPairsAtOnce / nodes_);
  std::vector<mpc::Share> at_least, at_most, positives;
  const mpc::Share y = mpc::narrow(y_, ring);
  const mpc::Share none = mpc::transposed(y - y);
  for (std::int64_t begin = 0; begin < nodes_; begin += block) {
    const mpc::Share zeros = mpc::columns(none, begin, std::min(begin + block, nodes_));
    for (auto* all : {&at_least, &at_most, &positives}) all->push_back(zeros);
  }
  for (std::size_t i = 0; i < at_least.size(); ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * block, end = std::min(begin + block, nodes_);
    const mpc::Shown differences = mpc::differences_from(shown, begin, end);
    const int hi = differences.ring_bits() - 1;
    const std::array comparisons{mpc::Comparison{differences, hi, -kRankingTie},
                                 mpc::Comparison{differences, hi, kRankingTie + 1}};
    const std::vector<mpc::Bits> bits = mpc::non_negative(session, comparisons);
    const mpc::Share at_least_as_high = mpc::indicator(session, bits[0], ring);
    const mpc::Share at_most_as_high = mpc::add_public_units(session, -mpc::indicator(session, bits[1], ring), 1);
    const std::int64_t later = end - begin, columns = nodes_ - begin;
    const auto of_later = [&](const mpc::Share& all) { return mpc::columns(all, later, columns); };
    at_most[i] = at_most[i] + mpc::transposed(mpc::row_sums(at_least_as_high));
    at_least[i] = at_least[i] + mpc::transposed(mpc::row_sums(at_most_as_high));
    if (later < columns) {
      add_to(at_least, i + 1, mpc::column_sums(of_later(at_least_as_high)));
      add_to(at_most, i + 1, mpc::column_sums(of_later(at_most_as_high)));
    }
    if (!weighs) continue;
    std::vector<mpc::Share> factors{at_most_as_high, rows_of(y, begin, nodes_)};
    if (later < columns) factors.insert(factors.end(), {of_later(at_least_as_high), rows_of(y, begin, end)});
    const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
    positives[i] = positives[i] + mpc::transposed(mpc::matmul(session, masked[0], masked[1]));
    if (later < columns) add_to(positives, i + 1, mpc::matmul(session, masked[3].transposed(), masked[2]));
  }
  return {mpc::beside(at_least), mpc::beside(at_most), mpc::beside(positives)};
}

Tensor Ranking::of(Arithmetic& arithmetic, Outputs& outputs) const {
  mpc::Session& session = arithmetic.session();
  const Counts counts = counted(session, outputs.score(arithmetic, class_).share());
  const auto nodes = static_cast<double>(nodes_);
  const std::string name(name_of(metric_));
  if (metric_ == Metric::kAveragePrecision) {
    const std::vector<mpc::Share> wide = in_words(session, {counts.positives_at_least, counts.at_least});
    const mpc::Share precisions = quotients(session, wide[0], wide[1], nodes);
    return to_reveal(session, weighted_sum(session, weights_, precisions), 1, name);
  }
  const mpc::Share ahead = in_words(session, {counts.at_most - counts.at_least}).front();
  const std::vector<mpc::Masked> masked = mpc::mask(session, std::array{ahead, y_});
  const mpc::Share numerator = pairs_ + mpc::matmul(session, masked[0], masked[1]);
  return to_reveal(session, quotients(session, numerator, pairs_ + pairs_, std::max(2.0, nodes * nodes / 2)), 1, name);
}

double told_ranking(double revealed, std::int64_t nodes) {
  const auto all = static_cast<double>(nodes);
  return told_quotient(revealed, std::ldexp(1.0, -14), 1 / (all * all));
}

Measured Ranking::read(const Matrix& revealed) const { return {told_ranking(revealed(0, 0), nodes_), {}}; }

}  // namespace tacit::gnn
