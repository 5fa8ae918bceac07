// By how much larger than the loss' gradients they travel.
//
// A mean over thousands of nodes would be a few units of fixed point; a sum over them would leave its range. So it is
// the sum, brought below what the optimiser has room for by a power of two. All batches of a plan have the same scale:
// what an optimiser remembers is of gradients that are comparable, and every labelled node weighs the same.
#pragma once

#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

struct GradientScale {
  double scale = 1;
  int halvings = 0;  // of the sum
};

// `labelled`: nodes of the largest batch; each has so many columns of targets or classes.
GradientScale gradient_scale(const TrainingPlan& plan, std::int64_t labelled, std::int64_t columns);

}  // namespace tacit::gnn
