// Checks of targets: does a plan reveal their own unit, and can fixed point represent it?
#pragma once

#include "gnn/arithmetic/tensor.h"
#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

// True if a plan reveals anything in the targets' own unit. Otherwise the unit is not shared, and its power of two is
// not revealed.
bool tells_in_own_unit(const TrainingPlan& plan);

// The owner checks its targets that determine the scale: a mean may be 2^20 deviations from zero. Throws ConfigError;
// the numbers are in its local detail.
void check_unit(const Matrix& targets);

}  // namespace tacit::gnn
