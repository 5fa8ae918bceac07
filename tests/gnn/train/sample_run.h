// A training on built-in data: in double precision, and on secrets in any session.
#pragma once

#include "gnn/data/graph_data.h"
#include "gnn/plain/plain_trainer.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {

enum class GraphKind { kPublic, kPrivateDense };

struct Sample {
  std::string name;
  TrainingPlan plan;
  GraphKind graph = GraphKind::kPublic;
  Matrix x, y;  // standardised
  Edges edges;
  Rows train, validation, test;
};

Sample sensors_sample(GraphKind graph, std::int64_t stations = 300);
Sample communities_sample();
inline Sample public_sensors() { return sensors_sample(GraphKind::kPublic); }
inline Sample private_sensors() { return sensors_sample(GraphKind::kPrivateDense); }
Sample sample_of(const GraphData& data, const TrainingPlan& plan, GraphKind graph);

using Events = std::vector<EpochEvent>;
Events plain_run(const Sample& sample);
// Shares the sample as a job does: the first party owns x, the last one everything else. `prepare` changes the trainer
// before it runs.
Events secret_run(mpc::Session& session, const Sample& sample,
                  const std::function<void(const EpochEvent&)>& on_epoch = {},
                  const std::function<void(Trainer&)>& prepare = {});

// The largest relative difference of losses, epoch by epoch.
double largest_difference(const Events& a, const Events& b);

}  // namespace tacit::gnn
