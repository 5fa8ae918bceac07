#include "gnn/train/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/likeliest.h"
#include "gnn/arithmetic/sums_of_products.h"
#include "gnn/train/divergence.h"

namespace tacit::gnn {

Measure::Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, Selection nodes,
                 const std::optional<ErrorSum::Unit>& unit)
    : metric_(metric), nodes_(std::move(nodes)), y_(nodes_.pick(arithmetic, y, y.bound(), y.name())) {
  if (metric == Metric::kAccuracy) return;
  const auto of = metric == Metric::kRootMeanSquaredError ? ErrorSum::Of::kSquares : ErrorSum::Of::kAbsolute;
  errors_.emplace(arithmetic, of, arithmetic.ranges().activations + y_.bound(), nodes_.count(), unit,
                  fmt::format("{} over {} nodes", name_of(metric), nodes_.count()));
}

Tensor Measure::total(Arithmetic& arithmetic, const Tensor& z) const {
  return total_of_picked(arithmetic, nodes_.pick(arithmetic, z, z.bound(), z.name()));
}

Tensor Measure::total_of_picked(Arithmetic& arithmetic, const Tensor& picked) const {
  TACIT_CHECK(picked.shape().rows == nodes_.count());
  if (errors_) return errors_->of(arithmetic, arithmetic.difference(picked, y_, {}, "error"));
  const auto most = static_cast<double>(picked.shape().rows);
  return sum_of_products(arithmetic, largest_in_rows(arithmetic, picked), y_, most, "correct");
}

double Measure::reading(double total) const {
  if (!errors_) return total / static_cast<double>(y_.shape().rows);
  const double mean = errors_->reading(total) / static_cast<double>(y_.shape().size());
  constexpr double kRounding = 1e-2;
  if (mean < -kRounding) {
    throw TrainingDiverged(
        fmt::format("the {} left the range of its ring: predictions are very far off", name_of(metric_)));
  }
  const bool root = metric_ == Metric::kRootMeanSquaredError;
  return std::ldexp(root ? std::sqrt(std::max(mean, 0.0)) : mean, errors_->exponent());
}

}  // namespace tacit::gnn
