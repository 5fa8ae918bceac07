#include "gnn/train/gradient_scale.h"

#include <algorithm>

namespace tacit::gnn {

namespace {

// The largest scale. Gradients of a mean over standardised data are about 1. They grow if a graph has hubs, if features
// are heavy-tailed, or if a step went too far: with SGD and the default ranges they may become 64. Adam's inverse root
// allows 2 for squared errors, and half of 1 for cross-entropy, because its gradients are below 1.
double most(const TrainingPlan& plan) {
  const bool squares = plan.objective == Objective::kSquaredError;
  if (plan.adam) return Adam::kLargestGradient * (squares ? 0.5 : 2);
  return std::min(256.0, plan.ranges.weight_gradients / 2);
}

}  // namespace

GradientScale gradient_scale(const TrainingPlan& plan, std::int64_t labelled, std::int64_t columns) {
  const bool squares = plan.objective == Objective::kSquaredError;
  const auto count = static_cast<double>(labelled);
  GradientScale result{squares ? count * static_cast<double>(columns) / 2 : count};
  while (result.scale > most(plan)) {
    result.scale /= 2;
    ++result.halvings;
  }
  return result;
}

}  // namespace tacit::gnn
