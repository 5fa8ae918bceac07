#include "gnn/data/snapshots.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::gnn {

Edges edges_of_rows(const Edges& edges, std::int64_t snapshots) {
  if (snapshots == 1) return edges;
  Edges all;
  const std::size_t size = edges.from.size() * static_cast<std::size_t>(snapshots);
  all.from.reserve(size);
  all.to.reserve(size);
  if (edges.weighted()) all.weights.reserve(size);
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    for (std::int64_t t = 0; t < snapshots; ++t) {
      all.from.push_back(edges.from[e] * snapshots + t);
      all.to.push_back(edges.to[e] * snapshots + t);
      if (edges.weighted()) all.weights.push_back(edges.weights[e]);
    }
  }
  return all;
}

std::vector<std::int64_t> rows_of_nodes(std::span<const std::int64_t> nodes, std::int64_t snapshots) {
  std::vector<std::int64_t> rows;
  rows.reserve(nodes.size() * static_cast<std::size_t>(snapshots));
  for (const std::int64_t node : nodes) {
    for (std::int64_t t = 0; t < snapshots; ++t) rows.push_back(node * snapshots + t);
  }
  return rows;
}

bool are_whole_nodes(std::span<const std::int64_t> rows, std::int64_t snapshots) {
  if (std::ssize(rows) % snapshots != 0) return false;
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    const std::int64_t in_node = i % snapshots, first = rows[static_cast<std::size_t>(i - in_node)];
    if (first % snapshots != 0 || rows[static_cast<std::size_t>(i)] != first + in_node) return false;
  }
  return true;
}

std::vector<std::int64_t> nodes_of_rows(std::span<const std::int64_t> rows, std::int64_t snapshots) {
  TACIT_CHECK(are_whole_nodes(rows, snapshots));
  std::vector<std::int64_t> nodes;
  for (std::size_t i = 0; i < rows.size(); i += static_cast<std::size_t>(snapshots)) {
    nodes.push_back(rows[i] / snapshots);
  }
  return nodes;
}

Matrix SnapshotOrder::in_memory(const Matrix& file) const {
  Matrix memory(file.rows(), file.cols());
  for (Eigen::Index row = 0; row < file.rows(); ++row) memory.row(place_of(row)) = file.row(row);
  return memory;
}

Matrix SnapshotOrder::in_file(const Matrix& memory) const {
  Matrix file(memory.rows(), memory.cols());
  for (Eigen::Index row = 0; row < memory.rows(); ++row) file.row(row) = memory.row(place_of(row));
  return file;
}

void repeat_in_snapshots(GraphData& part, std::int64_t snapshots) {
  TACIT_CHECK(part.snapshots == 1);
  part.snapshots = snapshots;
  part.nodes *= snapshots;
  if (part.own_rows) part.own_rows = NodeRange{part.own_rows->first * snapshots, part.own_rows->count * snapshots};
}

std::string node_of_row(std::int64_t row, std::int64_t snapshots) {
  if (snapshots == 1) return fmt::format("node {}", row);
  return fmt::format("node {} in snapshot {}", row / snapshots, row % snapshots);
}

void check_snapshots(const GraphData& data, std::string_view where) {
  const std::int64_t snapshots = data.snapshots;
  if (snapshots == 1) return;
  const auto wrong = [&](const std::string& what) { throw ConfigError(fmt::format("{}: snapshots: {}", where, what)); };
  if (snapshots < 1 || snapshots > kMostSnapshots)
    wrong(fmt::format("{}; expected 1 ... {}", snapshots, kMostSnapshots));
  if (data.nodes % snapshots != 0) {
    wrong(fmt::format("{} rows are not whole nodes in {} snapshots", data.nodes, snapshots));
  }
  if (data.own_rows && (data.own_rows->first % snapshots != 0 || data.own_rows->count % snapshots != 0)) {
    wrong(fmt::format("own rows: {} from {} on are not whole nodes in {} snapshots", data.own_rows->count,
                      data.own_rows->first, snapshots));
  }
  if (!data.graphs.empty()) {
    wrong("the data have several graphs, and snapshots are of one graph; take graph out, or snapshots");
  }
  if (data.pairs)
    wrong(
        "the data have pairs to predict, and links are learned from one snapshot; take the pairs out, or the "
        "snapshots");
}

std::string other_snapshots(std::int64_t data, std::int64_t job) {
  const auto several = [](std::int64_t number) { return fmt::format("{} snapshot{}", number, number == 1 ? "" : "s"); };
  return fmt::format(
      "the data have {}, and the job has {} (data.snapshots); mend either: an .npz file has "
      "snapshots = {}, and a folder of CSV files a column snapshot",
      several(data), job, job);
}

}  // namespace tacit::gnn
