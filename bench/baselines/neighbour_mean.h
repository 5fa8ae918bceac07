// The mean of the targets of a node's neighbours: a prediction by the graph alone, without features or training.
#pragma once

#include "bench/baselines/regression.h"
#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// Only the targets of nodes to train on are averaged, never a node's own. An edge counts in its direction, and once
// however often it is repeated. A node without such a neighbour gets the mean of all nodes to train on.
// Throws ConfigError as check() of both does.
Regression neighbour_mean(const RegressionData& data, const Edges& edges);

}  // namespace tacit::gnn
