// The opening algorithm (all-reduce) that a setting selects for each size of message.
#pragma once

#include "gnn/plan/training_plan.h"
#include "net/collectives/all_reduce_plan.h"

namespace tacit::gnn {

// Empty for Openings::kMeasured, which needs a measurement of the links.
std::optional<net::AllReducePlan> plan_of(Openings openings, int parties);

}  // namespace tacit::gnn
