// PublicViews — the nodes of a public graph that each training step reads, and the nodes that
// predictions read.
#pragma once

#include "gnn/graph/graph_view.h"
#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

struct PublicViews {
  std::vector<LayeredGraph> batches;  // in the order of batches_of(); empty if every batch reads all nodes
  LayeredGraph whole;

  const LayeredGraph& of_batch(std::size_t i) const { return batches.empty() ? whole : batches[i]; }
};

// The views for public labelled nodes `train`: each batch reads the nodes on which its outputs
// depend.
PublicViews public_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, const Rows& train,
                         Graphs graphs = {});
// The views for secret labelled nodes: every batch reads all nodes.
PublicViews whole_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, Graphs graphs = {});

}  // namespace tacit::gnn
