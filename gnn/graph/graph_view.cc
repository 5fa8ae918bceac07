#include "gnn/graph/graph_view.h"

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/data/snapshots.h"
#include "gnn/graph/dense_propagator.h"
#include "gnn/graph/picking_propagator.h"
#include "gnn/graph/public_propagator.h"

namespace tacit::gnn {

namespace {

constexpr auto kPropagation = LayerSpec::Kind::kPropagation, kPooling = LayerSpec::Kind::kPooling,
               kDotProduct = LayerSpec::Kind::kDotProduct;

}  // namespace

Weighting weighting_of(const LayerSpec& layer) {
  switch (layer.kind) {
    case LayerSpec::Kind::kMeanAggregation:
      return {Normalisation::kMean};
    case LayerSpec::Kind::kSumAggregation:
      return {Normalisation::kSum, 1, 1 + layer.epsilon};
    case kPropagation:
      return {Normalisation::kSymmetric, 1 - layer.restart};
    case kPooling:
      return {layer.sums ? Normalisation::kSumOfGraph : Normalisation::kMeanOfGraph};
    default:
      return {Normalisation::kSymmetric};
  }
}

bool gathers_whole_numbers(const LayerSpec& layer, bool edge_weights) {
  if (layer.kind == kPooling) return layer.sums;
  return layer.kind == LayerSpec::Kind::kSumAggregation && !edge_weights &&
         layer.epsilon == std::nearbyint(layer.epsilon);
}

Adjacencies adjacencies_of(const ModelSpec& model, const Edges& edges, std::int64_t nodes, Graphs graphs) {
  Adjacencies all;
  for (const LayerSpec& layer : model.layers) {
    const Weighting weighting = weighting_of(layer);
    if (!layer.gathers() || all.contains(weighting)) continue;
    const Normalisation kind = weighting.normalisation;
    TACIT_CHECK(layer.kind != kPooling || std::ssize(graphs) == nodes);
    Adjacency& added =
        all.emplace(weighting, layer.kind == kPooling ? pooling(graphs, kind) : normalised(edges, nodes, kind))
            .first->second;
    for (double& value : added.values) value *= weighting.factor;
    if (weighting.loop != 1) added = with_loops(added, weighting.loop);
  }
  return all;
}

namespace {

Adjacency empty(std::int64_t rows, std::int64_t cols) {
  return {{rows, cols}, std::vector<std::int64_t>(static_cast<std::size_t>(rows) + 1), {}, {}};
}

// Returns the same object as the layer before if the rows are equal, since a layer that does not
// gather keeps its rows.
std::shared_ptr<const Rows> shared(const Rows& rows, const std::vector<std::shared_ptr<const Rows>>& before) {
  if (!before.empty() && *before.back() == rows) return before.back();
  return std::make_shared<const Rows>(rows);
}

}  // namespace

Rows nodes_of(const Edges& pairs) {
  Rows nodes = pairs.from;
  nodes.insert(nodes.end(), pairs.to.begin(), pairs.to.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

LayeredGraph layered(const ModelSpec& model, const Adjacencies& adjacencies, const Rows& targets, const Edges& pairs) {
  const std::size_t layers = model.layers.size();
  LayeredGraph graph;
  graph.rows.resize(layers + 1);
  graph.rows[layers] = targets;
  graph.adjacencies.resize(layers);
  for (std::size_t i = layers; i-- > 0;) {
    graph.rows[i] = graph.rows[i + 1];
    if (model.layers[i].kind == kDotProduct) {
      const Edges some{rows_at(pairs.from, targets), rows_at(pairs.to, targets)};
      graph.rows[i] = nodes_of(some);
      graph.from = positions(some.from, graph.rows[i]);
      graph.to = positions(some.to, graph.rows[i]);
    }
    if (!model.layers[i].gathers()) continue;
    const LayerSpec& layer = model.layers[i];
    const Adjacency& adjacency = adjacencies.at(weighting_of(layer));
    if (layer.kind == kPropagation) {
      // Rows at the border lack neighbours and have wrong values, but no step carries these values as far as an output.
      for (std::int64_t step = 0; step < layer.steps && std::ssize(graph.rows[i]) < adjacency.shape.rows; ++step) {
        graph.rows[i] = with_neighbours(adjacency, graph.rows[i]);
      }
      graph.adjacencies[i] = among(adjacency, graph.rows[i]);
      continue;
    }
    graph.rows[i] = with_neighbours(adjacency, graph.rows[i + 1]);
    graph.adjacencies[i] = part_of(adjacency, graph.rows[i + 1], graph.rows[i]);
  }
  return graph;
}

std::vector<std::int64_t> sizes_of(const std::vector<Rows>& rows) {
  std::vector<std::int64_t> sizes;
  for (const Rows& some : rows) sizes.push_back(std::ssize(some));
  return sizes;
}

GraphView GraphView::of_public(const Arithmetic& arithmetic, const ModelSpec& model, const LayeredGraph& graph,
                               std::int64_t nodes, bool edge_weights) {
  GraphView view;
  view.nodes_ = nodes;
  for (const Rows& rows : graph.rows) view.rows_.push_back(shared(rows, view.rows_));
  view.propagators_.resize(model.layers.size());
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (!layer.gathers()) continue;
    view.propagators_[i] = std::make_shared<PublicPropagator>(arithmetic, graph.adjacencies[i],
                                                              positions(graph.rows[i + 1], graph.rows[i]),
                                                              gathers_whole_numbers(layer, edge_weights));
  }
  if (model.pairs()) {
    const std::int64_t ends = std::ssize(graph.rows[model.layers.size() - 1]);
    view.ends_ = std::make_shared<const PairEnds>(graph.from, graph.to, ends);
  }
  return view;
}

namespace {

// The propagator of a pool, from all nodes to subjects.
std::shared_ptr<Propagator> pool_of(const Arithmetic& arithmetic, const LayerSpec& layer, const Rows& nodes,
                                    const Rows& subjects, Graphs graphs) {
  const std::int64_t rows = std::ssize(subjects), cols = std::ssize(nodes);
  const bool whole = gathers_whole_numbers(layer, false);
  if (!graphs.empty()) {
    const Adjacency pooled = part_of(pooling(graphs, weighting_of(layer).normalisation), subjects, nodes);
    return std::make_shared<PublicPropagator>(arithmetic, pooled, subjects, whole);
  }
  return std::make_shared<PublicPropagator>(arithmetic, empty(rows, cols), all_rows(rows), whole);
}

}  // namespace

GraphView GraphView::of_private(const Arithmetic& arithmetic, const ModelSpec& model, Propagators propagators,
                                std::int64_t nodes, const Rows& subjects, Graphs graphs) {
  GraphView view;
  view.nodes_ = nodes;
  auto rows = std::make_shared<const Rows>(all_rows(nodes));
  view.rows_.push_back(rows);
  for (const LayerSpec& layer : model.layers) {
    std::shared_ptr<Propagator> propagator;
    if (layer.kind == kPooling) {
      propagator = pool_of(arithmetic, layer, *rows, subjects, graphs);
      rows = std::make_shared<const Rows>(subjects);
    } else if (layer.gathers()) {
      propagator = propagators.at(weighting_of(layer));
    }
    view.propagators_.push_back(std::move(propagator));
    view.rows_.push_back(rows);
  }
  return view;
}

GraphView::Propagators GraphView::propagators_of(const ModelSpec& model,
                                                 const std::map<Normalisation, Tensor>& adjacencies,
                                                 std::int64_t snapshots) {
  Propagators propagators;
  for (const LayerSpec& layer : model.layers) {
    const Weighting weighting = weighting_of(layer);
    if (!layer.gathers_over_edges() || propagators.contains(weighting)) continue;
    propagators[weighting] = std::make_shared<DensePropagator>(
        adjacencies.at(weighting.normalisation), std::optional<Rows>(), weighting.factor, weighting.loop, snapshots);
  }
  return propagators;
}

GraphView GraphView::of_private(Arithmetic& arithmetic, const ModelSpec& model,
                                const std::map<Normalisation, Tensor>& adjacencies, std::int64_t nodes,
                                const Rows& targets, Graphs graphs, std::int64_t snapshots) {
  GraphView view = of_private(arithmetic, model, propagators_of(model, adjacencies, snapshots), nodes, targets, graphs);
  if (std::ssize(targets) == nodes || model.pools()) return view;
  std::size_t last = model.layers.size() - 1;
  while (!model.layers[last].gathers()) --last;
  const Weighting weighting = weighting_of(model.layers[last]);
  const Tensor& whole = adjacencies.at(weighting.normalisation);
  const bool all_steps = model.layers[last].kind == kPropagation;  // every step but the last reads all nodes
  const auto part = [&] {
    const mpc::SparseMatrix picked = picking(nodes_of_rows(targets, snapshots), nodes / snapshots);
    return placed(arithmetic, picked, whole).as_watched_as(whole);
  };
  view.propagators_[last] = std::make_shared<DensePropagator>(all_steps ? whole : part(), targets, weighting.factor,
                                                              weighting.loop, snapshots);
  view.end_with(targets, last);
  return view;
}

GraphView GraphView::of_private_rows(const Arithmetic& arithmetic, const ModelSpec& model,
                                     const Propagators& propagators, std::int64_t nodes, const Rows& targets,
                                     Graphs graphs) {
  GraphView view = of_private(arithmetic, model, propagators, nodes, targets, graphs);
  if (std::ssize(targets) == nodes || model.pools()) return view;
  std::size_t last = model.layers.size() - 1;
  while (!model.layers[last].gathers()) --last;
  const bool all_steps = model.layers[last].kind == kPropagation;
  view.propagators_[last] = std::make_shared<PickingPropagator>(view.propagators_[last], targets, nodes, all_steps);
  view.end_with(targets, last);
  return view;
}

void GraphView::end_with(const Rows& targets, std::size_t last) {
  const auto rows = std::make_shared<const Rows>(targets);
  for (std::size_t i = last + 1; i < rows_.size(); ++i) rows_[i] = rows;
}

GraphView GraphView::of_private_pairs(const ModelSpec& model, const Propagators& propagators, std::int64_t nodes,
                                      Rows pairs, PairEnds ends) {
  GraphView view;
  view.nodes_ = nodes;
  view.rows_.assign(model.layers.size(), std::make_shared<const Rows>(all_rows(nodes)));
  view.rows_.push_back(std::make_shared<const Rows>(std::move(pairs)));
  for (const LayerSpec& layer : model.layers) {
    view.propagators_.push_back(layer.gathers() ? propagators.at(weighting_of(layer)) : nullptr);
  }
  view.ends_ = std::make_shared<const PairEnds>(std::move(ends));
  return view;
}

GraphView GraphView::of_numbers(const ModelSpec& model, Rows subjects, std::int64_t nodes) {
  GraphView view;
  view.nodes_ = nodes;
  view.rows_.assign(model.layers.size() + 1, std::make_shared<const Rows>(std::move(subjects)));
  view.propagators_.resize(model.layers.size());
  return view;
}

GraphView GraphView::of_rows(const ModelSpec& model, Rows rows, std::int64_t nodes) {
  TACIT_CHECK(
      std::none_of(model.layers.begin(), model.layers.end(), [](const auto& layer) { return layer.gathers(); }));
  GraphView view;
  view.nodes_ = nodes;
  view.rows_.assign(model.layers.size() + 1, std::make_shared<const Rows>(std::move(rows)));
  view.propagators_.resize(model.layers.size());
  return view;
}

GraphView GraphView::of_sizes(const Arithmetic& arithmetic, const ModelSpec& model, std::int64_t nodes,
                              std::span<const std::int64_t> sizes, bool edge_weights) {
  TACIT_CHECK(sizes.size() == model.layers.size() + 1);
  GraphView view;
  view.nodes_ = nodes;
  std::vector<Rows> rows;
  for (const std::int64_t size : sizes) rows.push_back(all_rows(size));
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    view.propagators_.push_back(nullptr);
    const LayerSpec& layer = model.layers[i];
    if (!layer.gathers()) continue;
    const std::int64_t targets = sizes[layer.kind == kPropagation ? i : i + 1];
    view.propagators_.back() = std::make_shared<PublicPropagator>(arithmetic, empty(targets, sizes[i]), rows[i + 1],
                                                                  gathers_whole_numbers(layer, edge_weights));
  }
  for (const Rows& some : rows) view.rows_.push_back(shared(some, view.rows_));
  if (model.pairs()) {  // which nodes they are does not matter here
    const Rows first(static_cast<std::size_t>(sizes.back()), 0);
    view.ends_ = std::make_shared<const PairEnds>(first, first, sizes[model.layers.size() - 1]);
  }
  return view;
}

const PairEnds& GraphView::ends() const {
  TACIT_CHECK(ends_ != nullptr);
  return *ends_;
}

bool GraphView::reads_as_much_as(const GraphView& whole) const {
  return std::equal(rows_.begin(), rows_.end(), whole.rows_.begin(), whole.rows_.end(),
                    [](const auto& own, const auto& all) { return own->size() == all->size(); });
}

Propagator& GraphView::propagator(std::size_t layer) const {
  TACIT_CHECK(propagators_[layer] != nullptr);
  return *propagators_[layer];
}

std::vector<GraphView> blocks_of_rows(const ModelSpec& model, const Rows& rows, std::int64_t nodes,
                                      std::int64_t inputs) {
  const std::int64_t most = rows_of_a_block(model, inputs);
  std::vector<GraphView> blocks;
  for (auto first = rows.begin(); first < rows.end(); first += std::min(most, rows.end() - first)) {
    blocks.push_back(GraphView::of_rows(model, Rows(first, first + std::min(most, rows.end() - first)), nodes));
  }
  return blocks;
}

std::int64_t rows_of_a_block(const ModelSpec& model, std::int64_t inputs) {
  constexpr std::int64_t kMostElements = 1 << 20;
  std::int64_t widest = inputs;
  for (const LayerSpec& layer : model.layers) widest = std::max(widest, layer.outputs);
  for (const std::int64_t width : widths_of(model, inputs)) widest = std::max(widest, width);
  return std::max<std::int64_t>(kMostElements / widest, 1);
}

}  // namespace tacit::gnn
