#include "gnn/train/shared_edges.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/arithmetic/either.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/graph/own_propagator.h"
#include "gnn/graph/secret_adjacency.h"

namespace tacit::gnn {

namespace {

// The sum over the owners of edges.
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

GraphView::Propagators own_propagators(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                       const Holding& holding) {
  Arithmetic& arithmetic = sharing.arithmetic();
  const int owner = data.ownership.edges.rank;
  const std::int64_t nodes = holding.graph_nodes(), edges = holding.edges[static_cast<std::size_t>(owner)];
  if (nodes + edges >= mpc::kMostPermuted) {
    throw ConfigError(
        fmt::format("a sparse graph has at most 2^31 - 2 nodes and edges together, and this one has {}; take fewer",
                    nodes + edges));
  }
  const GraphData* part = sharing.part_of(owner);
  Adjacencies known;
  if (part != nullptr) known = adjacencies_of(model, *part->edges, nodes, part->graphs);
  const auto shared = [&](const mpc::SparseMatrix* mine, int fraction_bits) {
    return mpc::own_matrix(arithmetic.session(), owner, {nodes, nodes}, edges, fraction_bits, mine);
  };
  GraphView::Propagators propagators;
  for (const LayerSpec& layer : model.layers) {
    const Weighting weighting = weighting_of(layer);
    if (!layer.gathers_over_edges() || propagators.contains(weighting)) continue;
    const bool whole = gathers_whole_numbers(layer, data.edge_weights);
    const int fraction_bits = whole ? 0 : arithmetic.top().fraction_bits;
    std::optional<mpc::SparseMatrix> forward, backward;
    if (part != nullptr) {
      forward = known.at(weighting).encoded(arithmetic, whole);
      backward = forward->transposed();
    }
    const mpc::OwnMatrix of_forward = shared(forward ? &*forward : nullptr, fraction_bits);
    propagators[weighting] = std::make_shared<OwnPropagator>(
        of_forward, shared(backward ? &*backward : nullptr, fraction_bits), holding.snapshots);
  }
  return propagators;
}

}  // namespace

GraphView::Propagators shared_propagators(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data,
                                          const Holding& holding) {
  return data.sparse_graph()
             ? own_propagators(sharing, model, data, holding)
             : GraphView::propagators_of(model, shared_adjacencies(sharing, model, data, holding), holding.snapshots);
}

GraphView private_view(SharedColumns& sharing, const ModelSpec& model, const DataPlan& data, const Holding& holding,
                       const Rows& targets, Graphs graphs) {
  Arithmetic& arithmetic = sharing.arithmetic();
  return data.sparse_graph()
             ? GraphView::of_private_rows(arithmetic, model, own_propagators(sharing, model, data, holding),
                                          holding.nodes, targets, graphs)
             : GraphView::of_private(arithmetic, model, shared_adjacencies(sharing, model, data, holding),
                                     holding.nodes, targets, graphs, holding.snapshots);
}

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
