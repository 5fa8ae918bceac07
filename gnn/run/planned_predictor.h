// PlannedPredictor — a predictor in a planning session, before its first prediction: for the costs of predictions and of a
// service.
#pragma once

#include "gnn/run/planned_run.h"
#include "gnn/train/predictor.h"
#include "mpc/session/plan_session.h"

namespace tacit::gnn {

class PlannedPredictor {
 public:
  // The arguments must outlive it. Runs the session's known-answer test, and shares the data.
  PlannedPredictor(const DataPlan& data, const TrainingPlan& training, const PredictionAgreement& agreement,
                   const PlannedRank& rank);

  mpc::PlanSession& session() { return session_; }
  Predictor& predictor() { return *predictor_; }
  std::int64_t blocks() const { return blocks_; }  // of nodes
  PlannedRun::Step so_far() const { return {session_.stated(), session_.work()}; }

 private:
  mpc::PlanSession session_;
  std::optional<Predictor> predictor_;
  std::int64_t blocks_ = 1;
};

}  // namespace tacit::gnn
