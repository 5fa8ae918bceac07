// TrainingState — all that a training needs to go on in another session: what a checkpoint holds.
//
// Shares and public counts; no masks, nothing that was opened. A parameter is kept as it was rounded, besides the
// optimiser's finer copy: what may be revealed is never rounded anew.
#pragma once

#include <optional>

#include "gnn/optimiser/optimiser.h"
#include "gnn/plan/early_stopping.h"

namespace tacit::gnn {

struct TrainingState {
  std::int64_t epochs = 0;           // that are done
  std::int64_t training_passes = 0;  // so many dropout masks are used up
  std::vector<Tensor> parameters;    // in the order of Model::parameters()
  OptimiserState optimiser;
  Progress progress;                 // of early stopping; its best value is this rank's alone
  std::optional<double> first_loss;  // if it was revealed to this rank: this rank's alone
};

}  // namespace tacit::gnn
