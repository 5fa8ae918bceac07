// rmse and mae — the root of the mean squared error, and the mean absolute error, over all nodes and targets.
//
// Reveals     the sum of squared or absolute errors, in the targets' own unit if there is one
// Rounds      1 for rmse, 3 for mae, at most 2 more for lifts; and 1 to reveal it
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

class ErrorMetric final : public Measure {
 public:
  ErrorMetric(Arithmetic& arithmetic, Metric metric, const Tensor& y, const std::optional<ErrorSum::Unit>& unit);
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override;
  Measured read(const Matrix& revealed) const override;

 private:
  Metric metric_;
  Tensor y_;
  ErrorSum errors_;
};

}  // namespace tacit::gnn
