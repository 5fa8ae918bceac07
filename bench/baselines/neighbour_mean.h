// The mean of the targets of a node's neighbours: a prediction by the graph alone, without features or training.
#pragma once

#include "bench/baselines/regression.h"
#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// Averages only the targets of training nodes, never a node's own. An edge counts in its direction, and once even if
// it is repeated. A node without such a neighbour gets the mean of all training nodes. Throws ConfigError if check()
// of the data or of the graph does.
Regression neighbour_mean(const RegressionData& data, const Edges& edges);

}  // namespace tacit::gnn
