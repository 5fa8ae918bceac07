// DataPlan — which data a job trains on: who holds what, and how it is prepared. Public, and the same at every rank.
#pragma once

#include "gnn/data/ownership.h"

namespace tacit::gnn {

struct DataPlan {
  Ownership ownership;
  std::int64_t classes = 0;  // of the labels; 0: they are targets
  // Columns of features and targets to mean 0 and deviation 1, by whoever holds a column as a whole. Metrics of targets
  // are in the targets' own unit all the same.
  bool standardise = true;

  bool private_graph() const { return ownership.edges.kind != PartOwnership::Kind::kPublic; }
};

}  // namespace tacit::gnn
