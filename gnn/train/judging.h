// Judging — early stopping and the learning rate's plateaus of a training: rank 0 judges the numbers that were revealed to
// it, and every rank learns whether they were better (mpc/protocols/decide.h).
//
// Every rank makes the same calls. Thread: its session's.
#pragma once

#include "gnn/plan/training_plan.h"
#include "gnn/train/epoch_event.h"
#include "gnn/train/training_state.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

// The number by which early stopping judges an epoch, if this rank sees it.
std::optional<double> judged_by(const TrainingPlan& plan, const Judged& judged, const EpochEvent& event);

class Judging {
 public:
  // Both must outlive it.
  Judging(mpc::Session& session, const TrainingPlan& plan) : session_(session), plan_(plan) {}

  // Judges the numbers in the event, which has the metrics of its epoch. True if early stopping found its number better
  // than all before it.
  bool judge(const EpochEvent& event);

  bool stopped() const { return stopped_; }
  bool last_is_best() const { return progress_.stale == 0; }  // of the numbers of early stopping
  std::int64_t reductions() const { return reductions_; }     // of the learning rate

  void save_to(TrainingState& state) const;
  // A training that stopped early goes on if the plan has more patience than then; with more epochs, the count of numbers
  // that did not improve begins again.
  void restore(const TrainingState& state);

 private:
  bool is_evaluated(const Judged& judged, std::int64_t epoch) const;
  bool is_better(const Judged& judged, const Progress& progress, const EpochEvent& event, const char* reason);

  mpc::Session& session_;
  const TrainingPlan& plan_;
  Progress progress_, plateau_;
  std::int64_t reductions_ = 0;
  bool stopped_ = false;
};

}  // namespace tacit::gnn
