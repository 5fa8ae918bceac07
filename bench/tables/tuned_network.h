// A plain network that is tuned on the validation nodes: the learning rate and the number of epochs with the least
// error there. The test nodes are read once, after the choice.
#pragma once

#include <cstdint>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"
#include "launcher/launch/twin.h"

namespace tacit::launcher {

struct TunedNetwork {
  double rate = 0;
  std::int64_t epochs = 0;
  TrainedTwin trained;  // trained from the beginning with `rate` and `epochs`; the time excludes the search
};

// Trains the plans' model with a constant rate, for at most the plans' epochs; the readings are the plans'. The search
// minimises the error of numeric targets, not of classes. Equal data give equal results.
TunedNetwork tuned_network(gnn::Plans plans, const gnn::GraphData& whole);

}  // namespace tacit::launcher
