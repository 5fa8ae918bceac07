// PublicViews — what of a public graph the steps of a training look at, and what predictions for all nodes do.
#pragma once

#include "gnn/graph/graph_view.h"
#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

struct PublicViews {
  std::vector<LayeredGraph> batches;  // in the order of batches_of(); none where every one looks at all nodes
  LayeredGraph whole;

  const LayeredGraph& of_batch(std::size_t i) const { return batches.empty() ? whole : batches[i]; }
};

// Where it is known which nodes are trained on: what they reach.
PublicViews public_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, const Rows& train);
// Where only their number is known: every batch looks at all nodes.
PublicViews whole_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes);

}  // namespace tacit::gnn
