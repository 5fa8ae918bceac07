#include "gnn/train/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/sums_of_products.h"
#include "gnn/train/divergence.h"
#include "gnn/train/predictions.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr double kLeastMean = 16;  // of squared or absolute errors in deviations
constexpr int kFewestMagnified = 3;
constexpr int kFewestUnitBits = 8;
constexpr int kFewestSumBits = 4;

// Squares have 2^(2·magnified).
double magnification(int magnified) { return std::ldexp(1.0, 2 * magnified); }

}  // namespace

// The sum of squares or absolute values, without a lift where predictions are a product that was dropped once.
bool Measure::fits(const Arithmetic& arithmetic, double mean) const {
  const int bits = arithmetic.top().ring_bits, f = arithmetic.top().fraction_bits;
  const double sum = mean * static_cast<double>(y_.shape().rows);
  return mpc::room_for(metric_ == Metric::kRootMeanSquaredError ? 2 * f : f, sum) < bits - f;
}

// The sum times the unit, with all fraction bits of both.
bool Measure::fits_in_unit(const Arithmetic& arithmetic, double mean, int magnified) const {
  const int f = arithmetic.top().fraction_bits;
  const double sum = mean * static_cast<double>(y_.shape().rows) * magnification(magnified);
  return mpc::room_for(f, sum) + (unit_ ? f : 0) <= arithmetic.top().ring_bits;
}

// First the range, as much as errors within their ranges come to; then the digits of small errors; and if there is room
// for neither, less of both.
void Measure::choose_format(const Arithmetic& arithmetic) {
  const bool squares = metric_ == Metric::kRootMeanSquaredError;
  const double element = arithmetic.ranges().activations + y_.bound();
  magnified_ = squares ? arithmetic.top().fraction_bits / 2 : 0;
  const int least = std::min(kFewestMagnified, magnified_);
  double mean = squares ? element * element : element;
  while (mean > kLeastMean && !(fits(arithmetic, mean) && fits_in_unit(arithmetic, mean, least))) mean /= 2;
  mean = std::max(mean, kLeastMean);
  while (magnified_ > 0 && !fits_in_unit(arithmetic, mean, magnified_)) --magnified_;
  most_ = mean * static_cast<double>(y_.shape().rows) * magnification(magnified_);
}

Measure::Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, Selection nodes,
                 const std::optional<Unit>& unit)
    : metric_(metric), nodes_(std::move(nodes)), y_(nodes_.pick(arithmetic, y, y.bound(), y.name())) {
  if (metric == Metric::kAccuracy) return;
  if (unit) {
    unit_ = metric == Metric::kMeanAbsoluteError ? unit->row : squared(arithmetic, unit->row);
    exponent_ = unit->exponent;
  }
  choose_format(arithmetic);
  if (!unit_) return;
  // As many fraction bits as the product with a sum has room for.
  const int left = arithmetic.top().ring_bits - mpc::room_for(kFewestSumBits, most_ * unit_->bound());
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

// Of a row, one for each column.
Tensor Measure::in_unit(Arithmetic& arithmetic, const Tensor& by_column) const {
  if (!unit_) return Tensor(mpc::row_sums(by_column.share()), by_column.bound(), by_column.name());
  const double bound = by_column.bound() * unit_->bound();
  const Tensor wide = arithmetic.lifted(by_column);
  // A sum over very many nodes has room for fewer fraction bits than one of them, and needs fewer.
  const int room = arithmetic.top().ring_bits - mpc::room_for(unit_->format().fraction_bits, bound);
  const int sum_bits = std::clamp(room, kFewestSumBits, wide.format().fraction_bits);
  return arithmetic.matmul({arithmetic.rounded(wide, sum_bits), unit_->transposed(), bound, by_column.name()});
}

Tensor Measure::total(Arithmetic& arithmetic, const Tensor& z) const {
  return total_of_picked(arithmetic, nodes_.pick(arithmetic, z, z.bound(), z.name()));
}

Tensor Measure::total_of_picked(Arithmetic& arithmetic, const Tensor& picked) const {
  TACIT_CHECK(picked.shape().rows == nodes_.count());
  if (metric_ == Metric::kAccuracy) return correct(arithmetic, picked);
  const double bound = picked.bound() + y_.bound();
  const Tensor error = arithmetic.difference(picked, y_, bound, "error");
  if (metric_ == Metric::kRootMeanSquaredError) {
    const Tensor magnified(mpc::scale(error.share(), 1, -magnified_), std::ldexp(bound, magnified_), "error");
    return in_unit(arithmetic, column_sums_of_products(arithmetic, magnified, magnified, most_, "squared error"));
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
  const double mean = total / count / magnification(magnified_);
  constexpr double kRounding = 1e-2;
  if (mean < -kRounding) {
    throw TrainingDiverged(
        fmt::format("the {} left the range of its ring: predictions are very far off", name_of(metric_)));
  }
  return std::ldexp(metric_ == Metric::kRootMeanSquaredError ? std::sqrt(std::max(mean, 0.0)) : mean, exponent_);
}

}  // namespace tacit::gnn
