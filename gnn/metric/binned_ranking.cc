#include "gnn/metric/binned_ranking.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/arithmetic/quotients.h"
#include "gnn/metric/ranking.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostComparisonsAtOnce = 1 << 20;

// The elements of a row that begins one later, with a zero at its end.
mpc::Share next(const mpc::Share& row) {
  const std::int64_t columns = row.shape().cols;
  const mpc::Share last = mpc::columns(row, columns - 1, columns);
  return mpc::beside(mpc::columns(row, 1, columns), last - last);
}

}  // namespace

std::vector<double> edges_of_bins(std::int64_t bins) {
  std::vector<double> edges;
  for (std::int64_t bin = 1; bin < bins; ++bin) {
    edges.push_back(kLargestBinnedScore * (2 * static_cast<double>(bin) / static_cast<double>(bins) - 1));
  }
  return edges;
}

BinnedRanking::BinnedRanking(Arithmetic& arithmetic, Metric metric, const Tensor& y, std::int64_t of_class,
                             std::int64_t bins)
    : metric_(metric), class_(of_class), bins_(bins), nodes_(y.shape().rows) {
  y_ = whole_numbers(arithmetic, Tensor(mpc::columns(y.share(), of_class, of_class + 1), 1, y.name()));
}

BinnedRanking::FromBinOn BinnedRanking::counted(mpc::Session& session, const mpc::Share& score) const {
  const int ring = mpc::room_for(0, static_cast<double>(nodes_));
  const mpc::Shown shown = mpc::show(session, score);
  const std::vector<double> edges = edges_of_bins(bins_);
  const auto at_once = static_cast<std::size_t>(std::max<std::int64_t>(1, kMostComparisonsAtOnce / nodes_));
  const mpc::Share y = mpc::narrow(y_, ring);
  const mpc::Share nodes = mpc::add_public_units(session, mpc::column_sums(y) - mpc::column_sums(y), nodes_);
  std::vector<mpc::Share> all{nodes}, positive{mpc::column_sums(y)};
  const mpc::Masked labels = mpc::mask(session, mpc::transposed(y));
  for (std::size_t begin = 0; begin < edges.size(); begin += at_once) {
    std::vector<mpc::Comparison> comparisons;
    for (std::size_t edge = begin; edge < std::min(begin + at_once, edges.size()); ++edge) {
      const auto at = static_cast<std::int64_t>(std::llround(std::ldexp(edges[edge], shown.fraction_bits())));
      comparisons.push_back({shown, shown.ring_bits() - 1, at});
    }
    std::vector<mpc::Share> reached;
    for (const mpc::Bits& bits : mpc::non_negative(session, comparisons)) {
      reached.push_back(mpc::indicator(session, bits, ring));
    }
    const mpc::Share at_edges = mpc::beside(reached);
    all.push_back(mpc::column_sums(at_edges));
    positive.push_back(mpc::matmul(session, labels, mpc::mask(session, at_edges)));
  }
  const std::vector<mpc::Share> wide = in_words(session, {mpc::beside(all), mpc::beside(positive)});
  return {wide[0], wide[1]};
}

Tensor BinnedRanking::of(Arithmetic& arithmetic, Outputs& outputs) const {
  mpc::Session& session = arithmetic.session();
  const FromBinOn from = counted(session, outputs.score(arithmetic, class_).share());
  const auto nodes = static_cast<double>(nodes_);
  const mpc::Share weights = shares_of_sum(session, mpc::transposed(from.positive - next(from.positive)), nodes);
  // Twice the counts at a positive node in the middle of each bin, the node itself among them.
  mpc::Share above = mpc::add_public_units(session, from.positive + next(from.positive), 1);
  mpc::Share below = mpc::add_public_units(session, from.all + next(from.all), 1);
  if (metric_ == Metric::kRocAuc) {
    const mpc::Share negative = from.all - from.positive;
    const mpc::Share twice = mpc::scale(mpc::columns(negative, 0, 1), 2, 0);
    below = mpc::transposed(mpc::repeat_rows(twice, bins_));
    above = below - negative - next(negative);
  }
  const mpc::Share numbers = quotients(session, above, below, 2 * nodes + 1);
  return to_reveal(session, weighted_sum(session, weights, numbers), 1, std::string(name_of(metric_)));
}

Measured BinnedRanking::read(const Matrix& revealed) const { return {told_ranking(revealed(0, 0), nodes_), {}}; }

}  // namespace tacit::gnn
