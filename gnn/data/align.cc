#include "gnn/data/align.h"

#include <algorithm>

#include "gnn/data/snapshots.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

template <typename Values>
Values taken(const Values& all, std::span<const std::int64_t> rows) {
  Values some;
  some.reserve(rows.size());
  for (const std::int64_t row : rows) some.push_back(all[index(row)]);
  return some;
}

Matrix taken(const Matrix& all, std::span<const std::int64_t> rows) {
  Matrix some(std::ssize(rows), all.cols());
  for (std::size_t r = 0; r < rows.size(); ++r) some.row(static_cast<Eigen::Index>(r)) = all.row(rows[r]);
  return some;
}

SparseFeatures taken(const SparseFeatures& all, std::span<const std::int64_t> rows) {
  SparseFeatures some{{std::ssize(rows), all.shape.cols}, {0}, {}, {}};
  for (const std::int64_t row : rows) {
    for (std::int64_t i = all.row_begin[index(row)]; i < all.row_begin[index(row) + 1]; ++i) {
      some.cols.push_back(all.cols[index(i)]);
      some.values.push_back(all.values[index(i)]);
    }
    some.row_begin.push_back(std::ssize(some.cols));
  }
  return some;
}

template <typename Part>
std::optional<Part> taken(const std::optional<Part>& all, std::span<const std::int64_t> rows) {
  if (!all) return std::nullopt;
  return taken(*all, rows);
}

Edges renumbered(const Edges& edges, std::int64_t nodes, std::span<const std::int64_t> rows) {
  std::vector<std::int64_t> number(index(nodes), -1);
  for (std::size_t r = 0; r < rows.size(); ++r) number[index(rows[r])] = static_cast<std::int64_t>(r);
  struct Kept {
    std::int64_t from, to;
    double weight;
    std::int64_t part;
    auto operator<=>(const Kept&) const = default;
  };
  std::vector<Kept> kept;
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    const std::int64_t from = number[index(edges.from[e])], to = number[index(edges.to[e])];
    if (from >= 0 && to >= 0)
      kept.push_back({from, to, edges.weighted() ? edges.weights[e] : 1, edges.parts.empty() ? 0 : edges.parts[e]});
  }
  std::sort(kept.begin(), kept.end());
  Edges some;
  for (const Kept& edge : kept) {
    some.from.push_back(edge.from);
    some.to.push_back(edge.to);
    if (edges.weighted()) some.weights.push_back(edge.weight);
    if (!edges.parts.empty()) some.parts.push_back(edge.part);
  }
  return some;
}

}  // namespace

Aligned aligned(const GraphData& part, std::span<const std::int64_t> nodes) {
  TACIT_CHECK(!part.own_rows);
  const std::vector<std::int64_t> rows = rows_of_nodes(nodes, part.snapshots);
  Aligned result;
  GraphData& data = result.data;
  data.nodes = std::ssize(rows);
  data.snapshots = part.snapshots;
  data.x = taken(part.x, rows);
  data.missing_features = part.missing_features;
  data.sparse_x = taken(part.sparse_x, rows);
  data.classes = taken(part.classes, rows);
  data.targets = taken(part.targets, rows);
  data.train_mask = taken(part.train_mask, rows);
  data.val_mask = taken(part.val_mask, rows);
  data.test_mask = taken(part.test_mask, rows);
  data.ids = taken(part.ids, nodes);
  data.feature_names = part.feature_names;
  if (part.edges) data.edges = renumbered(*part.edges, part.graph_nodes(), nodes);
  result.nodes_left_out = part.graph_nodes() - data.graph_nodes();
  if (part.edges) result.edges_left_out = part.edges->size() - data.edges->size();
  return result;
}

}  // namespace tacit::gnn
