// TrainingState — the state from which another session can continue a training: the content of a
// checkpoint.
//
// The state has shares and public counts, but no masks and no opened values; of a training in the mode "aggregate" it
// has values that every party knows, and no shares. The rounded parameters are kept besides the optimiser's finer copies,
// so that a parameter which may be revealed is never rounded anew.
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
  Progress progress;                 // of early stopping; only ranks that see the number know its best value
  std::optional<double> first_loss;  // if it was revealed to this rank
  DataScale scale;                   // how this session scaled the data
  // The model of the best number, if early stopping keeps it.
  struct Best {
    std::int64_t epoch = 0;
    std::vector<Tensor> parameters;
  };
  std::optional<Best> best = {};
  Progress plateau = {};
  std::int64_t reductions = 0;      // of the learning rate, on plateaus
  std::int64_t planned_epochs = 0;  // of the plan that the session followed; 0: an earlier version did not keep it
  // Of a training that reveals its model in every step (gnn/aggregate), which has no shares: the parameters, the
  // optimiser's memory, and the best model's parameters.
  std::vector<NamedMatrix> known = {};

  // Of a perturbed model (perturbed_graph.h): the noisy sums and the network without edges, kept before the first epoch, so
  // that no other session makes them again.
  struct Perturbed {
    Tensor columns;                // that the model reads: probabilities, and their sums over edges with noise
    std::vector<Tensor> encoder;   // the parameters of the network without edges
    std::vector<double> readings;  // the network's metrics, in the plan's order; NaN: not revealed to this rank
  };
  std::optional<Perturbed> perturbed = {};

  // True if the last number was not the best: then the best model is the result.
  bool uses_best() const { return best && progress.stale > 0; }
};

}  // namespace tacit::gnn
