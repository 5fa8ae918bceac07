// Watched — the groups of values that the range watch of a training covers (mpc/levels/range_audit.h). A wrong value in
// a group spreads to the groups after it.
#pragma once

namespace tacit::gnn {

enum class Watched {
  kFeatures,         // data: Ranges::features
  kTargets,          // data: Ranges::features
  kWeights,          // parameters and their master copies: Ranges::weights
  kActivations,      // layers, before and after their ReLU: Ranges::activations
  kLogits,           // outputs, on their way into a loss or a metric
  kGradients,        // the loss by activations: Ranges::gradients
  kWeightGradients,  // the loss by weights, and an optimiser's moments: Ranges::weight_gradients
};

inline constexpr int kWatchedGroups = 7;

}  // namespace tacit::gnn
