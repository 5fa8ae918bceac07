// Data with several graphs, such as molecules: each node belongs to one, and labels and masks are of graphs.
//
// The number of each node's graph is public. A graph's nodes follow each other, and graphs are numbered in this order, as
// a batch of PyTorch Geometric has them. The first node of a graph has the graph's label and masks; the other nodes have
// none. Owners of rows therefore hold the labels of the graphs that begin with their rows.
#pragma once

#include <span>
#include <string_view>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// 0 if the data have one graph with labels of nodes.
std::int64_t number_of_graphs(const GraphData& data);

// The subjects, which have labels, masks and predictions: the first node of each graph, or all nodes if `graphs` is empty.
std::vector<std::int64_t> subjects_of(std::int64_t nodes, std::span<const std::int64_t> graphs);

// The subjects among these nodes.
std::vector<std::int64_t> subjects_among(const GraphData& data, const NodeRange& nodes);
// The number of subjects in a list of y or of a mask with a row for each node, or for each of own_rows.
std::int64_t subjects_in(const GraphData& data, std::int64_t rows);

// Moves labels and masks with a row for each graph, or for each graph that begins within own_rows, to the first nodes.
// Lists with a row for each node, or for each of own_rows, stay unchanged.
void move_to_first_nodes(GraphData& data);
// For a file. A part with own_rows stays unchanged: a list of own graphs could be as long as a list of all graphs.
GraphData with_a_row_for_each_graph(const GraphData& data);

// The error text for data with, or without, several graphs that do not fit the model.
std::string_view graphs_and_pool(bool several);

// Throws ConfigError unless each of the nodes has the number of its graph, as above.
void check_numbering(std::span<const std::int64_t> graphs, std::int64_t nodes, std::string_view where);
// The same, and unless edges stay within a graph, and labels and masks stand at first nodes.
void check_graphs(const GraphData& data, std::string_view where);

}  // namespace tacit::gnn
