// Snapshots — many states of one graph, such as the hours of a day: each node has features, labels and masks in every
// snapshot, and all snapshots have the same edges.
//
// In memory, data with T snapshots have a row for each node in each snapshot, node after node: node n in snapshot t is row
// n·T + t, and GraphData::nodes counts rows. Layers, losses, metrics and masks work on rows, so they need not know of
// snapshots. Only code that follows edges or names nodes does:
// - Edges and ids belong to the nodes of the graph, 0 ... graph_nodes() - 1, once for all snapshots.
// - A public graph is computed as the graph of all rows (edges_of_rows), which is local.
// - The adjacency A of a private graph has a row for each node of the graph. The T rows of a node follow each other, so a
//   matrix Y with C columns is, without moving a number, a matrix with T·C columns and a row for each node, and A·Y is one
//   product of the A that was masked once a session (gnn/graph/dense_propagator.h).
// - An owner of rows owns nodes of the graph, in all snapshots.
//
// In a file, arrays have the snapshots as their first axis, as measurements do: x is (T, N, F).
#pragma once

#include <span>
#include <string_view>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

inline constexpr std::int64_t kMostSnapshots = 1 << 20;

// The edges of the graph in every snapshot, between rows.
Edges edges_of_rows(const Edges& edges, std::int64_t snapshots);
// The rows of `nodes` of the graph, in all snapshots.
std::vector<std::int64_t> rows_of_nodes(std::span<const std::int64_t> nodes, std::int64_t snapshots);
// True if `rows` has all rows of each of its nodes.
bool are_whole_nodes(std::span<const std::int64_t> rows, std::int64_t snapshots);
// The nodes of the graph with these rows. `rows` must have all rows of each node.
std::vector<std::int64_t> nodes_of_rows(std::span<const std::int64_t> rows, std::int64_t snapshots);

// Row r of the matrix in snapshot-major order, as a file has it, is row place_of(r) in memory.
class SnapshotOrder {
 public:
  SnapshotOrder(std::int64_t snapshots, std::int64_t rows) : snapshots_(snapshots), nodes_(rows / snapshots) {}
  std::int64_t place_of(std::int64_t row) const { return row % nodes_ * snapshots_ + row / nodes_; }

  Matrix in_memory(const Matrix& file) const;
  Matrix in_file(const Matrix& memory) const;
  template <typename Values>
  Values in_memory(const Values& file) const {
    Values memory(file.size());
    for (std::size_t row = 0; row < file.size(); ++row) memory[at(row)] = file[row];
    return memory;
  }
  template <typename Values>
  Values in_file(const Values& memory) const {
    Values file(memory.size());
    for (std::size_t row = 0; row < memory.size(); ++row) file[row] = memory[at(row)];
    return file;
  }

 private:
  std::size_t at(std::size_t row) const { return static_cast<std::size_t>(place_of(static_cast<std::int64_t>(row))); }

  std::int64_t snapshots_, nodes_;
};

// Repeats a part without features, labels and masks, which has one snapshot, in `snapshots` snapshots.
void repeat_in_snapshots(GraphData& part, std::int64_t snapshots);

// "node 17", or "node 17 in snapshot 5": the node of a row, in messages.
std::string node_of_row(std::int64_t row, std::int64_t snapshots);

// Throws ConfigError unless the rows are whole nodes, and the data have neither several graphs nor pairs.
void check_snapshots(const GraphData& data, std::string_view where);
// The error text for data with another number of snapshots than the job.
std::string other_snapshots(std::int64_t data, std::int64_t job);

}  // namespace tacit::gnn
