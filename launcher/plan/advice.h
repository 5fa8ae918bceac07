// advice — advice that `tacit plan` prints beside the costs of a job.
#pragma once

#include <string>
#include <vector>

#include "gnn/plan/plans.h"

namespace tacit::launcher {

// With two classes, one may be rare: the plan does not know the counts. A model that never finds the rare class
// still has a high accuracy.
std::vector<std::string> advice_on(const gnn::Plans& plans);

}  // namespace tacit::launcher
