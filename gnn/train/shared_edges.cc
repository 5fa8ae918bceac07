#include "gnn/train/shared_edges.h"

#include <algorithm>

#include "gnn/arithmetic/either.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/graph/secret_adjacency.h"

namespace tacit::gnn {

namespace {

// The sum of what the owners of edges have.
Tensor added(Arithmetic& arithmetic, const Tensors& all, double bound) {
  Tensor sum = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) sum = arithmetic.sum(sum, all[i], bound);
  return sum;
}

SecretEdges shared_edges(SharedColumns& sharing, const DataPlan& data, const Holding& holding) {
  const std::int64_t nodes = holding.graph_nodes();
  Arithmetic& arithmetic = sharing.arithmetic();
  arithmetic.session().begin_part(kSharingEdgesPart);
  Tensors there, weights;
  for (int rank = 0; rank < static_cast<int>(holding.edges.size()); ++rank) {
    if (holding.edges[static_cast<std::size_t>(rank)] == 0) continue;
    const Shape shape{nodes, nodes};
    const auto own = [&](const GraphData& part) { return dense_adjacency(*part.edges, nodes); };
    there.push_back(sharing.input_of(rank, shape, Precision::kWhole, 1, own, "edges"));
    if (!data.edge_weights) continue;
    const auto own_weights = [&](const GraphData& part) { return dense_weights(*part.edges, nodes); };
    weights.push_back(sharing.input_of(rank, shape, Precision::kWeight, kMostWeight, own_weights, "weights of edges"));
  }
  if (there.empty()) {
    const Tensor none = share_known(
        arithmetic, {nodes, nodes}, [&] { return Matrix::Zero(nodes, nodes); }, Precision::kWhole, 1, "no edges");
    return {none, {}};
  }
  const bool anywhere = data.ownership.edges.kind == PartOwnership::Kind::kAnywhere;
  SecretEdges edges{anywhere ? either(arithmetic, there, "edges") : added(arithmetic, there, 1), {}};
  if (data.edge_weights) edges.weights = added(arithmetic, weights, kMostWeightOfNode);
  return edges;
}

}  // namespace

std::map<Normalisation, Tensor> shared_adjacencies(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                                   const Holding& holding) {
  std::map<Normalisation, Tensor> all;
  const auto gathers = [](const LayerSpec& layer) { return layer.gathers_over_edges(); };
  if (std::none_of(model.layers.begin(), model.layers.end(), gathers)) return all;
  const SecretEdges edges = shared_edges(sharing, data, holding);
  for (const LayerSpec& layer : model.layers) {
    const Normalisation kind = weighting_of(layer).normalisation;
    if (layer.gathers_over_edges() && !all.contains(kind))
      all.emplace(kind, normalised(sharing.arithmetic(), edges, kind));
  }
  sharing.begin_sharing();
  return all;
}

}  // namespace tacit::gnn
