// log_loss and loss — log_loss is the mean cross-entropy, without class weights and label smoothing. loss is the
// training's own loss of the part: with both, or the mean squared error of prepared targets.
//
// Reveals     the sum over nodes
// Rounds      as the loss' value without its gradient; and 1 to reveal it
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

class LossMetric final : public Measure {
 public:
  LossMetric(Arithmetic& arithmetic, Metric metric, Objective objective, const LossOptions& options, const Tensor& y);
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override { return loss_->total(arithmetic, outputs); }
  Measured read(const Matrix& revealed) const override;

 private:
  Metric metric_;
  std::unique_ptr<Loss> loss_;
};

}  // namespace tacit::gnn
