#include "gnn/train/gradient_scale.h"

namespace tacit::gnn {

namespace {

// A scale by which gradients keep within range while those of the loss itself are about 1 at most: up to 2 for squared
// errors of standardised targets; below 1 for cross-entropy.
double most(const TrainingPlan& plan) {
  const bool squares = plan.objective == Objective::kSquaredError;
  return plan.adam ? Adam::kLargestGradient * (squares ? 0.5 : 2) : plan.ranges.weight_gradients / 2;
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
