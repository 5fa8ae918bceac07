// planned_aggregate — planned_run() of a training with training.mode = "aggregate".
#pragma once

#include "gnn/run/planned_run.h"

namespace tacit::gnn {

PlannedRun planned_aggregate(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                             const PlannedRank& rank);

}  // namespace tacit::gnn
