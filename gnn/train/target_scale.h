// Which targets tell the mean and the deviation by which all of them are standardised.
//
// Those of the nodes to train on, where one owner has the targets of all nodes and knows these nodes: what is tested on
// must tell nothing before. Otherwise all targets: where masks are secret to the targets' owner, and where owners have
// some of the nodes each. There no owner could see that a target lies further from the others than numbers on shares
// reach; of all of them none lies further than the root of their number.
#pragma once

#include "gnn/data/graph_data.h"
#include "gnn/plan/data_plan.h"

namespace tacit::gnn {

bool scaled_by_training_nodes(const DataPlan& data);

// Of a part of the data, or of the whole: a row for each node that tells the scale.
Matrix targets_of_scale(const DataPlan& data, const GraphData& part);

}  // namespace tacit::gnn
