// train_own_data KEY ROSTER — trains on data made here. Two parties and a dealer each start it with their RANK.
#include <cmath>
#include <cstdio>

#include "gnn/run/training_run.h"
#include "net/connect.h"

using namespace tacit;

// A ring of nodes. Rank 0 has one feature of each node, and the edges. Rank 1 has another feature, and the targets.
gnn::GraphData own_data(int rank) {
  constexpr int kNodes = 80;
  const auto number = [](int owner, int node) { return std::sin(0.3 * (owner + 1) * node); };
  gnn::GraphData own;
  own.nodes = kNodes;
  own.x = gnn::Matrix(kNodes, 1);
  own.train_mask = own.test_mask = gnn::NodeMask(kNodes);
  if (rank == 0) own.edges.emplace();
  if (rank == 1) own.targets = gnn::Matrix(kNodes, 1);
  for (int node = 0; node < kNodes; ++node) {
    (*own.x)(node, 0) = number(rank, node);
    (node % 4 == 0 ? own.test_mask : own.train_mask)->at(node) = true;
    for (const int other : {(node + 1) % kNodes, (node + kNodes - 1) % kNodes}) {
      if (rank == 0) own.edges->from.push_back(node), own.edges->to.push_back(other);
    }
    if (rank == 1) (*own.targets)(node, 0) = 10 + number(0, node) * number(1, node);
  }
  return own;
}

int main(int argc, char** argv) try {
  if (argc != 3) throw ConfigError("usage: train_own_data KEY ROSTER");
  gnn::DataPlan data;
  data.ownership.features = gnn::parse_ownership("columns", gnn::GraphPart::kFeatures);
  data.ownership.edges = gnn::parse_ownership("rank 0", gnn::GraphPart::kEdges);
  data.ownership.labels = gnn::parse_ownership("rank 1", gnn::GraphPart::kLabels);
  data.ownership.masks = gnn::parse_ownership("public", gnn::GraphPart::kMasks);
  gnn::TrainingPlan training;
  training.model = gnn::ModelSpec::gcn(16, 1);
  training.metrics = {{gnn::Metric::kRootMeanSquaredError, gnn::Part::kTest}};

  const std::unique_ptr<net::Mesh> mesh = net::join_mesh(argv[1], argv[2]);
  const gnn::GraphData own = own_data(mesh->rank());
  const bool party = mesh->world().is_party();  // false at the dealer, which has no data
  const gnn::RunResult result = gnn::run_training(*mesh, data, training, party ? &own : nullptr);
  mesh->close();
  for (const auto& reading : result.readings) std::printf("test rmse %.3f\n", reading.value);
  return 0;
} catch (const std::exception& error) {
  return report_and_exit_code(error, "train_own_data");
}
