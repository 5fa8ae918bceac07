#include "gnn/train/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/train/predictions.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr double kLargestMean = 16;             // of squared or absolute errors in deviations
constexpr double kLargestUnitOfSums = 1 << 14;  // that a sum of errors is multiplied by
constexpr int kFewestUnitBits = 4;

constexpr std::array<std::pair<Metric, std::string_view>, 3> kNames = {
    {{Metric::kRootMeanSquaredError, "rmse"}, {Metric::kMeanAbsoluteError, "mae"}, {Metric::kAccuracy, "accuracy"}}};

}  // namespace

std::string_view name_of(Metric metric) {
  for (const auto& [kind, name] : kNames) {
    if (kind == metric) return name;
  }
  return "";
}

std::optional<Metric> metric_named(std::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

Measure::Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, Selection nodes,
                 const std::optional<Tensor>& unit)
    : metric_(metric), nodes_(std::move(nodes)), y_(nodes_.pick(arithmetic, y, y.bound(), y.name())) {
  if (!unit || metric == Metric::kAccuracy) return;
  unit_ = metric == Metric::kMeanAbsoluteError
              ? *unit
              : column_sums_of_products(arithmetic, *unit, *unit, unit->bound() * unit->bound(), "squared unit");
  // As many fraction bits as the product with a sum has room for.
  const int f = arithmetic.top().fraction_bits;
  const int left = arithmetic.top().ring_bits - mpc::room_for(f, most() * kLargestUnitOfSums);
  if (left < kFewestUnitBits) {
    throw ConfigError(
        fmt::format("{} over {} nodes in the targets' own unit does not fit a ring of {} bits: take a wider "
                    "ring, or say standardise = false",
                    name_of(metric), nodes_.count(), arithmetic.top().ring_bits));
  }
  unit_ = arithmetic.rounded(*unit_, std::min(f, left));
}

// A sum of errors, of which an element is a few deviations at most.
double Measure::most() const { return kLargestMean * static_cast<double>(y_.shape().rows); }

// Of a row, one for each column.
Tensor Measure::in_unit(Arithmetic& arithmetic, const Tensor& by_column) const {
  if (!unit_) return Tensor(mpc::row_sums(by_column.share()), by_column.bound(), by_column.name());
  const double bound = by_column.bound() * kLargestUnitOfSums;
  return arithmetic.matmul({by_column, unit_->transposed(), bound, by_column.name()});
}

Tensor Measure::total(Arithmetic& arithmetic, const Tensor& z) const {
  const Tensor picked = nodes_.pick(arithmetic, z, z.bound(), z.name());
  if (metric_ == Metric::kAccuracy) return correct(arithmetic, picked);
  const double bound = arithmetic.ranges().gradients;
  const Tensor error = arithmetic.difference(picked, y_, bound, "error");
  if (metric_ == Metric::kRootMeanSquaredError) {
    return in_unit(arithmetic, column_sums_of_products(arithmetic, error, error, most(), "squared error"));
  }
  // |e| = 2·max(e, 0) - e
  const Tensor positive = arithmetic.select(arithmetic.non_negative(error), error, bound, "positive error");
  const Tensor doubled(positive.share() + positive.share(), 2 * bound, "twice the positive error");
  const Tensor absolute = arithmetic.difference(doubled, error, bound, "absolute error");
  return in_unit(arithmetic, arithmetic.column_sums(absolute, most(), "absolute error"));
}

Tensor Measure::correct(Arithmetic& arithmetic, const Tensor& z) const {
  return sum_of_products(arithmetic, largest_in_rows(arithmetic, z), y_, static_cast<double>(z.shape().rows),
                         "correct");
}

double Measure::reading(double total) const {
  const auto count = static_cast<double>(metric_ == Metric::kAccuracy ? y_.shape().rows : y_.shape().size());
  const double mean = total / count;
  return metric_ == Metric::kRootMeanSquaredError ? std::sqrt(std::max(mean, 0.0)) : mean;
}

}  // namespace tacit::gnn
