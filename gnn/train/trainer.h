// Trainer — trains a model on secrets: the same program for parties, the dealer and the clear session.
//
// Reveals nothing but what the plan lists. One event per epoch, at every rank, with what was revealed to it.
// Thread: its session's.
#pragma once

#include <functional>
#include <memory>

#include "gnn/model/model.h"
#include "gnn/train/training_plan.h"
#include "gnn/train/training_state.h"

namespace tacit::gnn {

// What is trained on.
struct SecretGraph {
  Tensor x;                      // of all nodes, in the top ring
  Tensor y;                      // targets, or 1 in the column of a node's class
  GraphView training;            // ends with the nodes that are trained on, or with all
  GraphView whole;               // ends with all nodes
  Split split;                   // at the dealer as many rows, no matter which
  std::optional<Tensor> y_unit;  // a row: what 1 in a column of y is in the targets' own unit
};

struct EpochEvent {
  std::int64_t epoch = 0;      // from 1
  std::optional<double> loss;  // before the epoch's step, if it was revealed to this rank
  struct Reading {
    Revealed what;
    double value = 0;
  };
  std::vector<Reading> readings;  // after the step, likewise
  mpc::Cost cost;                 // of the epoch, as stated
};

class Trainer {
 public:
  // The session must outlive it.
  Trainer(mpc::Session& session, const TrainingPlan& plan, SecretGraph graph);

  // What to do with the state after every checkpoint_every epochs: a rank that keeps nothing, as the dealer, names
  // nothing.
  void on_checkpoint(std::function<void(const TrainingState&)> keep) { keep_ = std::move(keep); }
  TrainingState state();
  // Goes on after that state's last epoch. Every rank restores the same state, before run(). Throws ConfigError if it
  // does not fit the plan.
  void restore(TrainingState state);

  // The epochs that remain. Throws TrainingDiverged at every rank to which the loss is revealed.
  void run(const std::function<void(const EpochEvent&)>& on_epoch = {});

  Tensor predictions();  // of all nodes, by the model as it is
  std::vector<Parameter*> parameters() { return model_.parameters(); }
  Arithmetic& arithmetic() { return arithmetic_; }

 private:
  void step(EpochEvent& event);
  void evaluate(EpochEvent& event);
  void reveal_loss(const Tensor& total, EpochEvent& event);
  void mask_parameters();
  void checkpoint(std::int64_t epoch);

  mpc::Session& session_;
  TrainingPlan plan_;
  SecretGraph graph_;
  Arithmetic arithmetic_;
  Tensor x_;  // of those nodes
  Model model_;
  Model whole_model_;  // the same parameters, for all nodes
  std::unique_ptr<Loss> loss_;
  std::unique_ptr<Optimiser> optimiser_;
  std::vector<Measure> measures_;  // of plan_.metrics
  std::optional<double> first_loss_;
  std::int64_t epochs_ = 0;  // done
  std::int64_t passes_ = 0;  // in training
  std::function<void(const TrainingState&)> keep_;
  std::vector<std::int64_t> kept_;  // the last two epochs that were kept
};

}  // namespace tacit::gnn
