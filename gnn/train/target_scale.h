// targets_of_scale — the targets that determine the mean and deviation by which all targets are scaled.
//
// Only the targets of the training nodes count, if their owner has the targets of all nodes and
// knows the training nodes. Then training learns nothing from test targets. Otherwise all targets
// count: if masks are secret to the owner of the targets, or if each owner has the targets of some
// nodes. In these cases no owner could notice a target that is further from the training targets
// than numbers on shares reach. Among all targets, none is further from the mean than the root of
// their number, in deviations. Unknown targets never count.
#pragma once

#include "gnn/data/graph_data.h"
#include "gnn/plan/data_plan.h"

namespace tacit::gnn {

bool scaled_by_training_nodes(const DataPlan& data);

// The rows of the targets that count, of a part of the data or of the whole.
Matrix targets_of_scale(const DataPlan& data, const GraphData& part);

}  // namespace tacit::gnn
