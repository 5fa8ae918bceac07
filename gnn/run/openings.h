// Which algorithm opens a value of how many bytes.
#pragma once

#include "gnn/plan/training_plan.h"
#include "net/collectives/all_reduce_plan.h"

namespace tacit::gnn {

// None where it is measured.
std::optional<net::AllReducePlan> plan_of(Openings openings, int parties);

}  // namespace tacit::gnn
