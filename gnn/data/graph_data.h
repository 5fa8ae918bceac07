// GraphData — a graph with features and labels, or the part of one that a party's file holds.
//
// What it holds is somebody's data: it stays at its owner, and its values reach no error but by local_detail().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/ring/fixed_point.h"

namespace tacit::gnn {

using mpc::Matrix;
using mpc::Shape;

// Edge e leads from node from[e] to node to[e]. An undirected edge is there in both directions.
struct Edges {
  std::vector<std::int64_t> from, to;

  std::int64_t size() const { return static_cast<std::int64_t>(from.size()); }
};

// Row r holds values[i] in column cols[i] for row_begin[r] <= i < row_begin[r+1]; columns ascend within a row.
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

// Nodes bear the same numbers at every party: `nodes` counts those of the whole graph, and edges name them.
struct GraphData {
  std::int64_t nodes = 0;
  std::optional<NodeRange>
      own_rows;             // of a party's part: x, y and masks have a row for each of these nodes, or for every one
  std::optional<Matrix> x;  // N × F; at most one of the two
  std::optional<SparseFeatures> sparse_x;
  std::optional<Edges> edges;
  std::optional<std::vector<std::int64_t>> classes;  // of N nodes, 0 …; at most one of the two
  std::optional<Matrix> targets;                     // N × k
  std::optional<NodeMask> train_mask, val_mask, test_mask;
  std::optional<std::vector<std::string>> ids;  // a name for each node, or for each of own_rows (node_ids.h)
  std::vector<std::string> feature_names;       // of the columns of x, where the file names them: for its owner's eyes
};

// Throws ConfigError unless all parts are of one graph, the edges between its nodes, and every number finite. It begins
// with `where`, a file's name, and names the part and the place in it. Whether a party's file holds what the job says
// of it is check_part()'s question.
void check(const GraphData& data, std::string_view where);

}  // namespace tacit::gnn
