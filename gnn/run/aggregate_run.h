// aggregate_run — one rank's part in a training with training.mode = "aggregate", after the agreement on the data.
#pragma once

#include "gnn/aggregate/aggregate_trainer.h"
#include "gnn/run/training_run.h"
#include "gnn/train/agreement.h"

namespace tacit::gnn {

// `prepare` is called before the training.
// The same program at every rank and in every session; `own` is null at the dealer and in a planning session.
RunResult run_aggregate(mpc::Session& session, const TrainingPlan& training, const DataPlan& data,
                        const DataAgreement& agreement, const TrainingPrivacy& privacy, const OwnRecords* own,
                        const RunOptions& options, std::function<net::Traffic()> traffic,
                        const std::function<void(AggregateTrainer&)>& prepare);

}  // namespace tacit::gnn
