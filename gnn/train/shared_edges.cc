#include "gnn/train/shared_edges.h"

#include "gnn/arithmetic/either.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/graph/secret_adjacency.h"

namespace tacit::gnn {

namespace {

// From all owners' edges.
Tensor shared_adjacency(SharedColumns& sharing, const PartOwnership& ownership, const Holding& holding) {
  const std::int64_t nodes = holding.nodes;
  Arithmetic& arithmetic = sharing.arithmetic();
  Tensors all;
  for (std::size_t rank = 0; rank < holding.edges.size(); ++rank) {
    if (holding.edges[rank] == 0) continue;
    const auto own = [&](const GraphData& part) { return dense_adjacency(*part.edges, nodes); };
    all.push_back(sharing.input_of(static_cast<int>(rank), {nodes, nodes}, Precision::kWhole, 1, own, "edges"));
  }
  if (all.empty()) {
    return share_known(
        arithmetic, {nodes, nodes}, [&] { return Matrix::Zero(nodes, nodes); }, Precision::kWhole, 1, "no edges");
  }
  if (ownership.kind == PartOwnership::Kind::kAnywhere) return either(arithmetic, std::move(all), "edges");
  Tensor added = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) added = arithmetic.sum(added, all[i], 1);
  return added;
}

}  // namespace

std::map<Weighting, Tensor> shared_adjacencies(SharedColumns& sharing, const ModelSpec& model,
                                               const PartOwnership& edges, const Holding& holding) {
  const Tensor adjacency = shared_adjacency(sharing, edges, holding);
  std::map<Weighting, Tensor> all;
  for (const LayerSpec& layer : model.layers) {
    const Weighting weighting = weighting_of(layer);
    if (!layer.gathers() || all.contains(weighting)) continue;
    Tensor made = normalised(sharing.arithmetic(), adjacency, weighting.normalisation);
    if (weighting.factor != 1) made = sharing.arithmetic().scaled(made, weighting.factor);
    all.emplace(weighting, made);
  }
  sharing.begin_sharing();
  return all;
}

}  // namespace tacit::gnn
