// GraphData — a graph with features and labels, or the part of a graph that a party's file holds.
//
// The content is private data of its owner. The values appear in no error message, except in
// local_detail().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/ring/fixed_point.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

using mpc::Matrix;
using mpc::Shape;

// Edge e leads from node from[e] to node to[e]. An undirected edge is stored in both directions.
struct Edges {
  std::vector<std::int64_t> from, to;
  std::vector<double> weights = {};  // of each edge; empty: all are 1
  // The part of each edge's link, if the file states it: training 0, validation 1, test 2. Empty otherwise (links.h).
  std::vector<std::int64_t> parts = {};

  bool weighted() const { return !weights.empty(); }
  void add(const Edges& other, std::size_t edge);  // one edge of another list

  std::int64_t size() const { return static_cast<std::int64_t>(from.size()); }
};

// Links, or other pairs of nodes, of each part of a training: from the smaller number to the larger.
struct LinkParts {
  Edges train, validation, test;

  std::int64_t size() const { return train.size() + validation.size() + test.size(); }
};
inline constexpr std::int64_t kMostPairs = std::int64_t{1} << 27;

// A matrix in CSR form. Row r has values[i] in column cols[i] for row_begin[r] <= i <
// row_begin[r+1]. Columns ascend within a row.
struct SparseFeatures {
  Shape shape;
  std::vector<std::int64_t> row_begin;
  std::vector<std::int64_t> cols;
  std::vector<double> values;

  Matrix dense() const;
};

using NodeMask = std::vector<bool>;

// Nodes first … first + count - 1.
struct NodeRange {
  std::int64_t first = 0, count = 0;

  std::int64_t end() const { return first + count; }
  bool contains(std::int64_t node) const { return node >= first && node < end(); }
  bool operator==(const NodeRange&) const = default;
};

// The limits of an edge's weight, and of the sum of the weights that lead to a node of a private graph, since sums within these
// limits have inverses on shares (gnn/arithmetic/roots.h).
inline constexpr double kLeastWeight = 1.0 / 128, kMostWeight = 1024, kMostWeightOfNode = 4000;

// All parties use the same node numbers: `nodes` is the number of nodes of the whole graph, and
// edges name its nodes. With several snapshots, `nodes` counts each node once in each snapshot (snapshots.h).
struct GraphData {
  std::int64_t nodes = 0;
  std::int64_t snapshots = 1;  // states of the graph, all with the same edges and ids
  std::optional<NodeRange>
      own_rows;                   // of a party's part: x, y and masks have rows for these nodes alone, or for all nodes
  std::optional<Matrix> x;        // N × F; at most one of x and sparse_x
  bool missing_features = false;  // x may have NaN where a feature is missing (preparation.h)
  std::optional<SparseFeatures> sparse_x;
  std::optional<Edges> edges;
  std::optional<std::vector<std::int64_t>> classes;  // N entries, from 0 (labels.h); at most one of classes and targets
  std::optional<Matrix> targets;                     // N × k
  std::optional<NodeMask> train_mask, val_mask, test_mask;
  // Of data with several graphs, the number of each node's graph, for all nodes; empty: one graph. Labels and masks are
  // then for graphs, and stand at the first node of each graph (several_graphs.h).
  std::vector<std::int64_t> graphs;
  // Pairs of nodes to predict, of a job that learns links (links.h). All ranks have the same.
  std::optional<Edges> pairs;
  // In memory alone: the links, after with_links_apart(). `edges` then has only edges that pass messages.
  std::optional<LinkParts> links;
  std::optional<std::vector<std::string>> ids;  // a name for each node, or for each of own_rows (node_ids.h)
  std::vector<std::string> feature_names;       // names of the columns of x, for its owner alone
  // In memory alone, of a folder of CSV files: the digests of its lists of other ranks' ids (csv_rows.h), by the rank.
  std::map<int, mpc::Digest> id_lists;

  std::int64_t graph_nodes() const { return nodes / snapshots; }  // nodes of the graph, which edges and ids name
};

// The end of a message about a missing feature, if the job does not fill it.
inline constexpr std::string_view kRemedyOfMissingFeature =
    "; fill in what is missing, remove the row, or say preprocessing.missing = \"mean\" in the job";

// Throws ConfigError unless all parts belong to one graph, edges lie between its nodes, all numbers are
// finite or may be missing, and each node of a mask has its label, if the label is in the same file. The message begins
// with `where`, a file's name, and names the part and the place in it. check_part() compares a party's
// file with the job, and check_edge_weights() checks the weights of edges if the job uses them.
void check(const GraphData& data, std::string_view where);

}  // namespace tacit::gnn
