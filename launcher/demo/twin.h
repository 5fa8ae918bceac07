// The same training in double precision, on data that all lie in one place: what a run on shares is measured by.
#pragma once

#include <vector>

#include "gnn/data/graph_data.h"
#include "gnn/train/trainer.h"
#include "launcher/job/plans.h"

namespace tacit::launcher {

// What would be revealed after the last epoch; errors are in the targets' own unit. Throws ConfigError where the graph
// lacks what the plans need.
std::vector<gnn::EpochEvent::Reading> plain_readings(const Plans& plans, const gnn::GraphData& whole);

}  // namespace tacit::launcher
