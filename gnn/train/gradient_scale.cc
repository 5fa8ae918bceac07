#include "gnn/train/gradient_scale.h"

namespace tacit::gnn {

GradientScale gradient_scale(const TrainingPlan& plan, std::int64_t labelled, std::int64_t columns) {
  const LossKind& loss = kind_of(plan.objective);
  const double most = largest_gradient_scale(plan.optimiser, plan.ranges, loss);
  GradientScale result{loss.scale(labelled, columns)};
  while (result.scale > most) {
    result.scale /= 2;
    ++result.halvings;
  }
  return result;
}

}  // namespace tacit::gnn
