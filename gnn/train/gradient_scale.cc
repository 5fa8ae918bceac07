#include "gnn/train/gradient_scale.h"

#include <algorithm>

namespace tacit::gnn {

GradientScale gradient_scale(const TrainingPlan& plan, std::int64_t labelled, std::int64_t columns) {
  LossKind loss = kind_of(plan.objective);
  // The mean of balanced weights over nodes is 1; a model can be wrong about the rare classes alone.
  constexpr double kLargestOfBalanced = 2;
  loss.largest_gradient *=
      plan.class_weights.balanced ? kLargestOfBalanced : std::max(1.0, plan.class_weights.largest());
  const double most = largest_gradient_scale(plan.optimiser, plan.ranges, loss);
  GradientScale result{loss.scale(labelled, columns)};
  while (result.scale > most) {
    result.scale /= 2;
    ++result.halvings;
  }
  return result;
}

}  // namespace tacit::gnn
