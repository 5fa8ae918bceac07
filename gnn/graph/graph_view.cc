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
    view.propagators_[i] =
        std::make_shared<PublicPropagator>(part_of(adjacency, view.rows_[i + 1], view.rows_[i]),
                                           positions(view.rows_[i + 1], view.rows_[i]), fraction_bits);
  }
  return view;
}

GraphView GraphView::of_private(const ModelSpec& model, const Propagators& propagators, std::int64_t nodes) {
  GraphView view;
  view.nodes_ = nodes;
  view.rows_.assign(model.layers.size() + 1, all_rows(nodes));
  for (const LayerSpec& layer : model.layers) {
    view.propagators_.push_back(layer.gathers() ? propagators.at(normalisation_of(layer)) : nullptr);
  }
  return view;
}

GraphView GraphView::of_sizes(const ModelSpec& model, std::int64_t nodes, std::span<const std::int64_t> sizes,
                              int fraction_bits) {
  TACIT_CHECK(sizes.size() == model.layers.size() + 1);
  GraphView view;
  view.nodes_ = nodes;
  for (const std::int64_t size : sizes) view.rows_.push_back(all_rows(size));
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    view.propagators_.push_back(nullptr);
    if (!model.layers[i].gathers()) continue;
    const Adjacency empty{{sizes[i + 1], sizes[i]}, std::vector<std::int64_t>(view.rows_[i + 1].size() + 1), {}, {}};
    view.propagators_.back() = std::make_shared<PublicPropagator>(empty, view.rows_[i + 1], fraction_bits);
  }
  return view;
}

std::vector<std::int64_t> GraphView::sizes() const {
  std::vector<std::int64_t> sizes;
  for (const Rows& rows : rows_) sizes.push_back(std::ssize(rows));
  return sizes;
}

Propagator& GraphView::propagator(std::size_t layer) const {
  TACIT_CHECK(propagators_[layer] != nullptr);
  return *propagators_[layer];
}

}  // namespace tacit::gnn
