// planned_service — the cost of a service at one party, without peers and without computing values: the cost until the
// service is ready, and the cost of a request.
//
// Rounds and bytes equal the measured ones exactly, unless the predictions were computed before: then their shares are
// found, and nothing is computed. The plan does not include the rendezvous, the agreement on jobs, checkpoints and data,
// and the messages of a quiet time.
#pragma once

#include "gnn/run/planned_run.h"
#include "gnn/train/prediction_agreement.h"

namespace tacit::gnn {

struct PlannedService {
  PlannedRun::Step ready;    // the data, and the predictions of all nodes on shares
  PlannedRun::Step request;  // from the asker's message to its answer
};

// The request is one of `asker`, for `nodes` nodes.
PlannedService planned_service(const DataPlan& data, const TrainingPlan& training, const PredictionAgreement& agreement,
                               const PlannedRank& rank, int asker, std::int64_t nodes);

}  // namespace tacit::gnn
