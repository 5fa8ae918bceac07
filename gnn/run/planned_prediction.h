// planned_prediction — the cost of a prediction at one rank, without peers and without computing
// values: the program of run_prediction runs in a planning session.
//
// Rounds and bytes equal the measured ones exactly, unless a prediction was revealed before: then
// the same shares are opened again, and nothing is computed. The plan does not include the
// rendezvous and the agreement on jobs, checkpoints and data.
#pragma once

#include "gnn/run/planned_run.h"
#include "gnn/train/prediction_agreement.h"

namespace tacit::gnn {

struct PlannedPrediction {
  PassingBytes before;
  PlannedRun::Step sharing;          // the session's known-answer test, and the data
  PassingWords normalising;          // the words for normalising a private graph; `sharing` has them, too
  PlannedRun::Step predicting;       // to the reveals and the comparison after them
  std::int64_t blocks = 1;           // of nodes, computed one after the other
  std::int64_t most_dealt = 0;       // bytes of one operation of `predicting`
  std::int64_t memory_of_maker = 0;  // see Making
  std::vector<mpc::Reveal> reveals;

  PlannedRun::Step total() const { return sharing + predicting; }
};

// The part of the agreement that a plan needs, as the dealer knows it.
PredictionAgreement sizes_of(const PredictionAgreement& agreed);

PlannedPrediction planned_prediction(const DataPlan& data, const TrainingPlan& training,
                                     const PredictionAgreement& agreement, const PlannedRank& rank);

}  // namespace tacit::gnn
