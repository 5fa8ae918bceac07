// GraphView — the nodes that each layer of a model reads, and the propagators between them.
//
// A model on a public graph reads only the nodes on which its outputs depend: a layer that gathers
// needs the neighbours of its own outputs, so the set of nodes grows by neighbours from the last
// layer to the first. The other nodes would be multiplied by zero. With 140 labels on a citation
// graph of 2708 nodes, the hidden layer reads a quarter of the nodes in training. A model on a
// private graph reads all nodes. Without a graph, every layer reads the same rows.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "gnn/graph/adjacency.h"
#include "gnn/graph/pair_ends.h"
#include "gnn/graph/propagator.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

// How a layer weighs the edges.
struct Weighting {
  Normalisation normalisation = Normalisation::kSymmetric;
  double factor = 1;  // of every entry
  double loop = 1;    // the entry of the node itself in a sum

  auto operator<=>(const Weighting&) const = default;
};
Weighting weighting_of(const LayerSpec& layer);
// True if all entries are whole numbers: sums over edges without weights, with a whole epsilon, and sums over the nodes of a graph.
// Products by such matrices drop no fraction bits.
bool gathers_whole_numbers(const LayerSpec& layer, bool edge_weights);

// The adjacencies of a public graph that the model's layers need. `graphs` as in GraphData.
using Adjacencies = std::map<Weighting, Adjacency>;
using Graphs = std::span<const std::int64_t>;
Adjacencies adjacencies_of(const ModelSpec& model, const Edges& edges, std::int64_t nodes, Graphs graphs = {});

// The nodes and adjacencies of each layer, for predictions of some target nodes.
struct LayeredGraph {
  std::vector<Rows> rows;  // input rows of each layer, and the output rows last
  // The adjacency of each layer, between input and output rows, and for a propagation between input rows; empty if a layer does
  // not gather.
  std::vector<Adjacency> adjacencies;
  Rows from, to;  // for a dot product: the places of each pair's nodes among the layer's input rows
};
// The targets are nodes or graphs, or numbers of `pairs`.
LayeredGraph layered(const ModelSpec& model, const Adjacencies& adjacencies, const Rows& targets,
                     const Edges& pairs = {});
// The nodes of the pairs, ascending.
Rows nodes_of(const Edges& pairs);
std::vector<std::int64_t> sizes_of(const std::vector<Rows>& rows);

class GraphView {
 public:
  // `edge_weights`: the edges have weights (DataPlan), which the dealer must know as well.
  static GraphView of_public(const Arithmetic& arithmetic, const ModelSpec& model, const LayeredGraph& graph,
                             std::int64_t nodes, bool edge_weights);
  // For a private graph: a propagator for each weighting that the model needs.
  using Propagators = std::map<Weighting, std::shared_ptr<Propagator>>;
  static Propagators propagators_of(const ModelSpec& model, const std::map<Normalisation, Tensor>& adjacencies,
                                    std::int64_t snapshots = 1);
  // Predicts all subjects (several_graphs.h). `graphs` is empty at the dealer, as if no node were in any.
  static GraphView of_private(const Arithmetic& arithmetic, const ModelSpec& model, Propagators propagators,
                              std::int64_t nodes, const Rows& subjects, Graphs graphs);
  // The same, for predictions of some subjects: the last layer that gathers computes these rows alone. With snapshots,
  // `nodes` and targets are rows, and the targets are all rows of some nodes.
  static GraphView of_private(Arithmetic& arithmetic, const ModelSpec& model,
                              const std::map<Normalisation, Tensor>& adjacencies, std::int64_t nodes,
                              const Rows& targets, Graphs graphs, std::int64_t snapshots = 1);
  // The same with propagators of all nodes: all rows are computed, and the last layer that gathers picks the targets.
  static GraphView of_private_rows(const Arithmetic& arithmetic, const ModelSpec& model, const Propagators& propagators,
                                   std::int64_t nodes, const Rows& targets, Graphs graphs);
  // Predicts pairs of nodes, with ends among all nodes.
  static GraphView of_private_pairs(const ModelSpec& model, const Propagators& propagators, std::int64_t nodes,
                                    Rows pairs, PairEnds ends);
  // Numbers the subjects of other views, and computes nothing.
  static GraphView of_numbers(const ModelSpec& model, Rows subjects, std::int64_t nodes);
  // For rows without edges. No layer of the model may gather.
  static GraphView of_rows(const ModelSpec& model, Rows rows, std::int64_t nodes);
  // For the dealer, which knows no graph: the number of nodes that each layer of a public graph reads, and the number of
  // outputs.
  static GraphView of_sizes(const Arithmetic& arithmetic, const ModelSpec& model, std::int64_t nodes,
                            std::span<const std::int64_t> sizes, bool edge_weights);

  std::int64_t nodes() const { return nodes_; }  // nodes of the whole graph
  // Every layer reads as many nodes as in the view of all subjects, which are then the same nodes.
  bool reads_as_much_as(const GraphView& whole) const;
  const Rows& inputs() const { return *rows_.front(); }  // input rows of the first layer
  const Rows& outputs() const { return *rows_.back(); }
  const Rows& inputs(std::size_t layer) const { return *rows_[layer]; }
  Propagator& propagator(std::size_t layer) const;  // the layer must gather
  const PairEnds& ends() const;                     // of a model that ends with a dot product

 private:
  // These rows come out of the layer `last`, and of all layers behind it.
  void end_with(const Rows& targets, std::size_t last);

  std::int64_t nodes_ = 0;
  std::vector<std::shared_ptr<const Rows>> rows_;         // input rows of each layer, then output rows; often shared
  std::vector<std::shared_ptr<Propagator>> propagators_;  // by layer; null if the layer does not gather
  std::shared_ptr<const PairEnds> ends_;
};

// Views of rows without edges in blocks, for predictions in bounded memory. `inputs`: columns of features.
std::vector<GraphView> blocks_of_rows(const ModelSpec& model, const Rows& rows, std::int64_t nodes,
                                      std::int64_t inputs);
// A layer's values for these rows take 8 MiB at most.
std::int64_t rows_of_a_block(const ModelSpec& model, std::int64_t inputs);

}  // namespace tacit::gnn
