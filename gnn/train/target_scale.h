// Which targets tell the mean and the deviation by which all of them are standardised.
//
// Those of the nodes to train on: what is tested on must tell nothing before. Whoever holds the targets has to know
// these nodes: masks are public, or of the same owner. Where masks are secret to the targets' owner, all targets tell
// it.
#pragma once

#include "gnn/data/graph_data.h"
#include "gnn/train/data_plan.h"

namespace tacit::gnn {

bool scaled_by_training_nodes(const DataPlan& data);
// Whether each owner has some of the nodes: then no owner can tell the scale alone, and every rank must know how many
// of each owner's nodes are trained on.
bool scaled_across_owners(const DataPlan& data);

// Of a part of the data, or of the whole: a row for each node that tells the scale.
Matrix targets_of_scale(const DataPlan& data, const GraphData& part);

}  // namespace tacit::gnn
