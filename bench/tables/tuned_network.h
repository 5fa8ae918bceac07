// A plain network as somebody trains it who may look at the validation nodes: learning rate and number of epochs are
// those after which its error there is the least. The test nodes are looked at once, after the choice.
#pragma once

#include <cstdint>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"
#include "launcher/launch/twin.h"

namespace tacit::launcher {

struct TunedNetwork {
  double rate = 0;
  std::int64_t epochs = 0;
  TrainedTwin trained;  // with these, from the beginning: its time has nothing of the search
};

// Of the plans' model, with a constant rate and at most the plans' epochs; its readings are the plans'. The targets'
// error is what is searched for, not classes. Equal data give equal results.
TunedNetwork tuned_network(gnn::Plans plans, const gnn::GraphData& whole);

}  // namespace tacit::launcher
