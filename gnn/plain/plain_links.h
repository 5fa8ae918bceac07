// plain_links — the data of a job that learns links, for its twin: the pairs that the ranks train on, in the same order.
#pragma once

#include "gnn/plain/plain_trainer.h"
#include "gnn/plan/data_plan.h"

namespace tacit::gnn {

// `x`: the features of `whole`, prepared as the plan says. The job must learn links.
PlainData plain_links(const DataPlan& plan, const GraphData& whole, Matrix x);

}  // namespace tacit::gnn
