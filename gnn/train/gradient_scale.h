// The factor by which gradients are larger than the loss' own gradients (loss scaling).
//
// A mean over thousands of nodes would be a few units of fixed point; a sum over them would leave its range. Gradients
// are therefore the sum divided by a power of two, which brings them below the optimiser's limit. All batches of a plan
// have the same scale: the gradients that an optimiser accumulates are comparable, and every labelled node has the same
// weight.
#pragma once

#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

struct GradientScale {
  double scale = 1;
  int halvings = 0;  // times that the sum is halved
};

// `labelled`: nodes of the largest batch. `columns`: targets or classes of a node.
GradientScale gradient_scale(const TrainingPlan& plan, std::int64_t labelled, std::int64_t columns);

}  // namespace tacit::gnn
