#include "gnn/metric/error_metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/metric/divergence.h"

namespace tacit::gnn {

namespace {

ErrorSum::Of sum_of(Metric metric) {
  return metric == Metric::kRootMeanSquaredError ? ErrorSum::Of::kSquares : ErrorSum::Of::kAbsolute;
}

}  // namespace

ErrorMetric::ErrorMetric(Arithmetic& arithmetic, Metric metric, const Tensor& y,
                         const std::optional<ErrorSum::Unit>& unit)
    : metric_(metric),
      y_(y),
      errors_(
          arithmetic, sum_of(metric), arithmetic.ranges().activations + y.bound(), y.shape(), unit,
          {fmt::format("the {} over {} nodes", name_of(metric), y.shape().rows), "[ranges] activations and features"}) {
}

Tensor ErrorMetric::of(Arithmetic& arithmetic, Outputs& outputs) const {
  return errors_.of(arithmetic, arithmetic.difference(outputs.z(), y_, {}, "error"));
}

Measured ErrorMetric::read(const Matrix& revealed) const {
  const double mean = revealed(0, 0) / static_cast<double>(y_.shape().size());
  constexpr double kRounding = 1e-2;
  if (mean < -kRounding) {
    throw TrainingDiverged(
        fmt::format("the {} left the range of its ring: predictions are very far off", name_of(metric_)));
  }
  const bool root = metric_ == Metric::kRootMeanSquaredError;
  return {std::ldexp(root ? std::sqrt(std::max(mean, 0.0)) : mean, errors_.exponent()), {}};
}

}  // namespace tacit::gnn
