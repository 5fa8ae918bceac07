#include "gnn/arithmetic/watched_names.h"

namespace tacit::gnn {

WatchedRange range_of(Watched group) {
  switch (group) {
    case Watched::kFeatures:
      return {"features", "features", &Ranges::features};
    case Watched::kTargets:
      return {"targets", "features", &Ranges::features};
    case Watched::kWeights:
      return {"weights", "weights", &Ranges::weights};
    case Watched::kActivations:
      return {"activations", "activations", &Ranges::activations};
    case Watched::kLogits:
      return {"logits", "activations", &Ranges::activations};
    case Watched::kGradients:
      return {"gradients", "gradients", &Ranges::gradients};
    case Watched::kWeightGradients:
      break;
  }
  return {"gradients by weights", "weight_gradients", &Ranges::weight_gradients};
}

}  // namespace tacit::gnn
