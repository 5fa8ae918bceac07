#include "gnn/train/shared_edges.h"

#include "gnn/arithmetic/sharing.h"
#include "gnn/graph/secret_adjacency.h"

namespace tacit::gnn {

namespace {

// From all owners' edges.
Tensor shared_adjacency(SharedColumns& sharing, const Holding& holding) {
  const std::int64_t nodes = holding.nodes;
  Arithmetic& arithmetic = sharing.arithmetic();
  std::optional<Tensor> all;
  for (std::size_t rank = 0; rank < holding.edges.size(); ++rank) {
    if (holding.edges[rank] == 0) continue;
    const auto own = [&](const GraphData& part) { return dense_adjacency(*part.edges, nodes); };
    const Tensor share = sharing.input_of(static_cast<int>(rank), {nodes, nodes}, Precision::kWhole, 1, own, "edges");
    all = all ? arithmetic.sum(*all, share, 1) : share;
  }
  if (all) return *all;
  return share_known(
      arithmetic, {nodes, nodes}, [&] { return Matrix::Zero(nodes, nodes); }, Precision::kWhole, 1, "no edges");
}

}  // namespace

std::map<Weighting, Tensor> shared_adjacencies(SharedColumns& sharing, const ModelSpec& model, const Holding& holding) {
  const Tensor adjacency = shared_adjacency(sharing, holding);
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
