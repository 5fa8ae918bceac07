// expect_effect — refuses numbers of the table [training] that are so small that fixed point on shares rounds them to zero. The
// training would go on as if they were not there.
#pragma once

#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

// `scale`: of gradients on shares (gradient_scale.h). Throws SettingError, which names the setting and the least number.
void expect_effect(const TrainingPlan& plan, double scale);

}  // namespace tacit::gnn
