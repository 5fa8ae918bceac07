// PublicViews — the nodes of a public graph that each training step reads, and the nodes that
// predictions read.
#pragma once

#include <map>
#include <optional>

#include "gnn/graph/graph_view.h"
#include "gnn/plan/training_plan.h"
#include "gnn/train/link_pairs.h"

namespace tacit::gnn {

struct PublicViews {
  std::vector<LayeredGraph> batches;  // in the order of batches_of(); empty if every batch reads all nodes
  LayeredGraph whole;                 // empty if the job learns links
  // In a job that learns links: a view for each part that has a metric, and a view of the pairs that are predicted.
  std::map<Part, LayeredGraph> measured = {};
  std::optional<LayeredGraph> asked = {};

  const LayeredGraph& of_batch(std::size_t i) const { return batches.empty() ? whole : batches[i]; }
};

// The views for public labelled nodes `train`: each batch reads the nodes on which its outputs
// depend.
PublicViews public_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, const Rows& train,
                         Graphs graphs = {});
// The views for secret labelled nodes: every batch reads all nodes.
PublicViews whole_views(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, Graphs graphs = {});

// The views of a job that learns links. `pairs`: all labelled pairs, by their numbers. `asked`: the pairs to predict; null if
// none are.
PublicViews views_of_links(const TrainingPlan& plan, const Edges& edges, std::int64_t nodes, const Edges& pairs,
                           const LinkPairs& numbers, const Edges* asked);

}  // namespace tacit::gnn
