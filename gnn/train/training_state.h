// TrainingState — the state from which another session can continue a training: the content of a
// checkpoint.
//
// The state has shares and public counts, but no masks and no opened values. It has the rounded
// parameters besides the optimiser's finer copies, so that a parameter which may be revealed is
// never rounded anew.
#pragma once

#include <optional>

#include "gnn/optimiser/optimiser.h"
#include "gnn/plan/early_stopping.h"
#include "gnn/train/data_scale.h"

namespace tacit::gnn {

struct TrainingState {
  std::int64_t epochs = 0;           // completed epochs
  std::int64_t training_passes = 0;  // number of dropout masks that are used up
  std::vector<Tensor> parameters;    // in the order of Model::parameters()
  OptimiserState optimiser;
  Progress progress;                 // of early stopping; only this rank knows its best value
  std::optional<double> first_loss;  // if it was revealed to this rank
  DataScale scale;                   // how this session scaled the data
};

}  // namespace tacit::gnn
