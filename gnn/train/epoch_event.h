// EpochEvent — the report to a rank after an epoch of a training.
#pragma once

#include <optional>
#include <vector>

#include "gnn/plan/training_plan.h"
#include "gnn/train/usage.h"
#include "mpc/session/cost.h"
#include "net/traffic.h"

namespace tacit::gnn {

struct EpochEvent {
  std::int64_t epoch = 0;      // from 1
  std::optional<double> loss;  // before the epoch's steps, if it was revealed to this rank
  struct Reading {
    Revealed what;
    double value = 0;
    std::optional<Matrix> table = {};  // of confusion
  };
  std::vector<Reading> readings;  // after the steps, if revealed to this rank
  double rate = 0;
  bool last = false;  // this training's last epoch: the plan's last, or stopped early
  // The last event, if the best model is the result: the epoch after which it was the model, and its metrics.
  std::optional<std::int64_t> of_epoch;
  std::vector<Reading> of_best;

  mpc::Cost cost;                       // as stated
  Usage usage;                          // this process
  std::optional<net::Traffic> traffic;  // this rank's measured traffic, if there is a mesh
};

}  // namespace tacit::gnn
