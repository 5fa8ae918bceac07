// aggregate_run — one rank's part in a training with training.mode = "aggregate", after the agreement on the data.
#pragma once

#include "gnn/aggregate/aggregate_trainer.h"
#include "gnn/run/training_run.h"
#include "gnn/train/agreement.h"

namespace tacit::gnn {

// The steps and the noise of a private training with the agreed data. Takes up to a second. Throws the same ConfigError at
// every rank.
RecordPrivacy privacy_of(const TrainingPlan& training, const DataAgreement& agreement);

// The numbers of records that the owners train on; one number if masks are public.
std::vector<std::int64_t> records_of(const DataAgreement& agreement);

// `prepare` is called before the training.
// The same program at every rank and in every session; `own` is null at the dealer and in a planning session.
RunResult run_aggregate(mpc::Session& session, const TrainingPlan& training, const DataPlan& data,
                        const DataAgreement& agreement, const RecordPrivacy& privacy, const OwnRecords* own,
                        const RunOptions& options, std::function<net::Traffic()> traffic,
                        const std::function<void(AggregateTrainer&)>& prepare);

}  // namespace tacit::gnn
