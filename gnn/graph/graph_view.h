// GraphView — a graph as the layers of one model see it.
//
// Where the graph is public, a model that is asked about some nodes need not look at all: a layer that gathers needs
// the neighbours of what comes after it, so from the last layer to the first the set grows by neighbours. What is left
// out would be multiplied by zero. With 140 labels on a citation graph of 2708 nodes, training sees a quarter of them
// in its hidden layer. A private graph is looked at as a whole. Without a graph every layer reads the same rows.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "gnn/graph/adjacency.h"
#include "gnn/graph/propagator.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

Normalisation normalisation_of(const LayerSpec& layer);

// A public graph as a model's layers need it.
using Adjacencies = std::map<Normalisation, Adjacency>;
Adjacencies adjacencies_of(const ModelSpec& model, const Edges& edges, std::int64_t nodes);

// The same, for predictions of some nodes: which nodes each layer reads, and along what it gathers.
struct LayeredGraph {
  std::vector<Rows> rows;              // that each layer reads, and that come out
  std::vector<Adjacency> adjacencies;  // by layer, from rows to rows; empty for those that gather nothing
};
LayeredGraph layered(const ModelSpec& model, const Adjacencies& adjacencies, const Rows& targets);
std::vector<std::int64_t> sizes_of(const std::vector<Rows>& rows);

class GraphView {
 public:
  static GraphView of_public(const Arithmetic& arithmetic, const ModelSpec& model, const LayeredGraph& graph,
                             std::int64_t nodes);
  // Of a private one: a propagator for each normalisation that the model needs.
  using Propagators = std::map<Normalisation, std::shared_ptr<Propagator>>;
  static GraphView of_private(const ModelSpec& model, const Propagators& propagators, std::int64_t nodes);
  // Some rows without edges. No layer of the model may gather.
  static GraphView of_rows(const ModelSpec& model, Rows rows, std::int64_t nodes);
  // At the dealer, which needs to know no graph: how many nodes each layer of a public one reads, and how many come
  // out.
  static GraphView of_sizes(const Arithmetic& arithmetic, const ModelSpec& model, std::int64_t nodes,
                            std::span<const std::int64_t> sizes);

  std::int64_t nodes() const { return nodes_; }          // in all
  bool is_whole() const;                                 // every layer reads all nodes, and all come out
  const Rows& inputs() const { return *rows_.front(); }  // that the first layer reads
  const Rows& outputs() const { return *rows_.back(); }
  const Rows& inputs(std::size_t layer) const { return *rows_[layer]; }
  Propagator& propagator(std::size_t layer) const;  // of a layer that gathers

 private:
  std::int64_t nodes_ = 0;
  std::vector<std::shared_ptr<const Rows>> rows_;         // that each layer reads, and that come out; views share them
  std::vector<std::shared_ptr<Propagator>> propagators_;  // by layer; null for those that gather nothing
};

}  // namespace tacit::gnn
