#include "gnn/train/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/train/divergence.h"
#include "gnn/train/predictions.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr double kLeastMean = 16;  // of squared or absolute errors in deviations
constexpr int kFewestUnitBits = 4;

}  // namespace

// As much as errors within their ranges come to, if there is room for that: with all of the unit's fraction bits, and
// without a lift where predictions are a product that was dropped once.
double Measure::largest_mean(const Arithmetic& arithmetic, double unit) const {
  const double element = arithmetic.ranges().activations + y_.bound();
  const bool squares = metric_ == Metric::kRootMeanSquaredError;
  const int bits = arithmetic.top().ring_bits, f = arithmetic.top().fraction_bits;
  const auto fits = [&](double mean) {
    const double sum = mean * static_cast<double>(y_.shape().rows);
    const bool in_unit = unit == 0 || mpc::room_for(sum_bits(arithmetic), sum * unit) + f <= bits;
    return in_unit && mpc::room_for(squares ? 2 * f : f, sum) < bits - f;
  };
  double mean = squares ? element * element : element;
  while (mean > kLeastMean && !fits(mean)) mean /= 2;
  return std::max(mean, kLeastMean);
}

Measure::Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, Selection nodes,
                 const std::optional<Tensor>& unit)
    : metric_(metric), nodes_(std::move(nodes)), y_(nodes_.pick(arithmetic, y, y.bound(), y.name())) {
  if (metric == Metric::kAccuracy) return;
  if (unit) unit_ = metric == Metric::kMeanAbsoluteError ? *unit : squared(arithmetic, *unit);
  most_ = largest_mean(arithmetic, unit_ ? unit_->bound() : 0) * static_cast<double>(y_.shape().rows);
  if (!unit_) return;
  // As many fraction bits as the product with a sum has room for.
  const int left = arithmetic.top().ring_bits - mpc::room_for(sum_bits(arithmetic), most_ * unit_->bound());
  if (left < kFewestUnitBits) {
    throw ConfigError(
        fmt::format("{} over {} nodes in the targets' own unit does not fit a ring of {} bits: take a wider "
                    "ring, or targets that are not standardised",
                    name_of(metric), nodes_.count(), arithmetic.top().ring_bits));
  }
  unit_ = arithmetic.rounded(*unit_, std::min(arithmetic.top().fraction_bits, left));
}

// With as many fraction bits as the ring has room for.
Tensor Measure::squared(Arithmetic& arithmetic, const Tensor& unit) {
  const double bound = unit.bound() * unit.bound();
  const int most = (arithmetic.top().ring_bits - mpc::room_for(0, bound)) / 2;
  const Tensor rounded = arithmetic.rounded(unit, std::min(unit.format().fraction_bits, most));
  const Tensor wide = arithmetic.lifted(rounded);
  return column_sums_of_products(arithmetic, wide, wide, bound, "squared unit");
}

// A sum over many nodes needs fewer fraction bits than one of them.
int Measure::sum_bits(const Arithmetic& arithmetic) const {
  constexpr int kFewestSumBits = 4;
  const int f = arithmetic.top().fraction_bits;
  return std::clamp(f - std::ilogb(std::max<std::int64_t>(nodes_.count(), 1)), kFewestSumBits, f);
}

// Of a row, one for each column.
Tensor Measure::in_unit(Arithmetic& arithmetic, const Tensor& by_column) const {
  if (!unit_) return Tensor(mpc::row_sums(by_column.share()), by_column.bound(), by_column.name());
  const double bound = by_column.bound() * unit_->bound();
  const Tensor wide = arithmetic.lifted(by_column);
  return arithmetic.matmul(
      {arithmetic.rounded(wide, sum_bits(arithmetic)), unit_->transposed(), bound, by_column.name()});
}

Tensor Measure::total(Arithmetic& arithmetic, const Tensor& z) const {
  const Tensor picked = nodes_.pick(arithmetic, z, z.bound(), z.name());
  if (metric_ == Metric::kAccuracy) return correct(arithmetic, picked);
  const double bound = picked.bound() + y_.bound();
  const Tensor error = arithmetic.difference(picked, y_, bound, "error");
  if (metric_ == Metric::kRootMeanSquaredError) {
    return in_unit(arithmetic, column_sums_of_products(arithmetic, error, error, most_, "squared error"));
  }
  // |e| = 2·max(e, 0) - e
  const Tensor positive = arithmetic.select(arithmetic.non_negative(error), error, bound, "positive error");
  const Tensor doubled(positive.share() + positive.share(), 2 * bound, "twice the positive error");
  const Tensor absolute = arithmetic.difference(doubled, error, bound, "absolute error");
  return in_unit(arithmetic, arithmetic.column_sums(absolute, most_, "absolute error"));
}

Tensor Measure::correct(Arithmetic& arithmetic, const Tensor& z) const {
  return sum_of_products(arithmetic, largest_in_rows(arithmetic, z), y_, static_cast<double>(z.shape().rows),
                         "correct");
}

double Measure::reading(double total) const {
  const auto count = static_cast<double>(metric_ == Metric::kAccuracy ? y_.shape().rows : y_.shape().size());
  const double mean = total / count;
  constexpr double kRounding = 1e-2;
  if (mean < -kRounding) {
    throw TrainingDiverged(
        fmt::format("the {} left the range of its ring: predictions are very far off, or the targets' "
                    "unit is too small",
                    name_of(metric_)));
  }
  return metric_ == Metric::kRootMeanSquaredError ? std::sqrt(std::max(mean, 0.0)) : mean;
}

}  // namespace tacit::gnn
