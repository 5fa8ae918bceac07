#include "gnn/metric/loss_metric.h"

#include <fmt/format.h>

#include "gnn/metric/divergence.h"

namespace tacit::gnn {

LossMetric::LossMetric(Arithmetic& arithmetic, Metric metric, Objective objective, const LossOptions& options,
                       const Tensor& y)
    : metric_(metric),
      loss_(kind_of(objective).make(arithmetic, y, Selection::of(all_rows(y.shape().rows), y.shape().rows), options)) {}

Measured LossMetric::read(const Matrix& revealed) const {
  constexpr double kRounding = 1e-2;
  const double value = revealed(0, 0) * loss_->loss_per_total();
  if (value < -kRounding) {
    throw TrainingDiverged(
        fmt::format("the {} left the range of its ring: predictions are very far off", name_of(metric_)));
  }
  return {value, {}};
}

}  // namespace tacit::gnn
