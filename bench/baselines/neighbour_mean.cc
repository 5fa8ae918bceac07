#include "bench/baselines/neighbour_mean.h"

#include <fmt/format.h>

#include "gnn/graph/adjacency.h"

namespace tacit::gnn {

Regression neighbour_mean(const RegressionData& data, const Edges& edges) {
  check(data);
  const std::int64_t nodes = data.y.rows();
  GraphData graph;
  graph.nodes = nodes;
  graph.edges = edges;
  check(graph, "the mean over neighbours");
  const Eigen::VectorXd targets = values_at(data.y, data.train);
  Matrix known = Matrix::Zero(nodes, 2);  // a known target, and 1; otherwise 0, 0
  for (std::size_t i = 0; i < data.train.size(); ++i) {
    known(data.train[i], 0) = targets(static_cast<Eigen::Index>(i));
    known(data.train[i], 1) = 1;
  }
  const Matrix means = normalised(edges, nodes, Normalisation::kMean).times(known);
  Matrix predictions = Matrix::Constant(nodes, 1, targets.mean());
  std::int64_t alone = 0;
  for (std::int64_t node = 0; node < nodes; ++node) {
    if (means(node, 1) > 0) {
      predictions(node, 0) = means(node, 0) / means(node, 1);
    } else {
      ++alone;
    }
  }
  return {predictions, {}, fmt::format("{} of {} nodes have no neighbour to train on", alone, nodes)};
}

}  // namespace tacit::gnn
