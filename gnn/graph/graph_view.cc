#include "gnn/graph/graph_view.h"

#include "gnn/graph/public_propagator.h"

namespace tacit::gnn {

Normalisation normalisation_of(const LayerSpec& layer) {
  return layer.kind == LayerSpec::Kind::kMeanAggregation ? Normalisation::kMean : Normalisation::kSymmetric;
}

GraphView GraphView::of_public(const ModelSpec& model, const Edges& edges, std::int64_t nodes, const Rows& targets,
                               int fraction_bits) {
  std::map<Normalisation, Adjacency> adjacencies;
  for (const LayerSpec& layer : model.layers) {
    const Normalisation kind = normalisation_of(layer);
    if (layer.gathers() && !adjacencies.contains(kind)) adjacencies.emplace(kind, normalised(edges, nodes, kind));
  }
  const std::size_t layers = model.layers.size();
  GraphView view;
  view.nodes_ = nodes;
  view.rows_.resize(layers + 1);
  view.rows_[layers] = targets;
  view.propagators_.resize(layers);
  for (std::size_t i = layers; i-- > 0;) {
    view.rows_[i] = view.rows_[i + 1];
    if (!model.layers[i].gathers()) continue;
    const Adjacency& adjacency = adjacencies.at(normalisation_of(model.layers[i]));
    view.rows_[i] = with_neighbours(adjacency, view.rows_[i + 1]);
    view.owned_.push_back(std::make_unique<PublicPropagator>(part_of(adjacency, view.rows_[i + 1], view.rows_[i]),
                                                             positions(view.rows_[i + 1], view.rows_[i]),
                                                             fraction_bits));
    view.propagators_[i] = view.owned_.back().get();
  }
  return view;
}

GraphView GraphView::of_private(const ModelSpec& model, const std::map<Normalisation, Propagator*>& propagators,
                                std::int64_t nodes) {
  GraphView view;
  view.nodes_ = nodes;
  view.rows_.assign(model.layers.size() + 1, all_rows(nodes));
  for (const LayerSpec& layer : model.layers) {
    view.propagators_.push_back(layer.gathers() ? propagators.at(normalisation_of(layer)) : nullptr);
  }
  return view;
}

Propagator& GraphView::propagator(std::size_t layer) const {
  TACIT_CHECK(propagators_[layer] != nullptr);
  return *propagators_[layer];
}

}  // namespace tacit::gnn
