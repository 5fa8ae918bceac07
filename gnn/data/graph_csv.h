// Reads a graph from a folder: nodes.csv with a line for each node, edges.csv with a line for each
// edge (gnn/data/README.md). If nodes.csv has a column graph, graphs.csv may have the labels and masks, with a line for
// each graph. pairs.csv has the pairs of nodes to predict, of a job that learns links.
#pragma once

#include <filesystem>

#include "gnn/data/byte_source.h"
#include "gnn/data/graph_data.h"
#include "gnn/data/graph_reading.h"

namespace tacit::gnn {

// Throws ConfigError unless the files form a graph. edges.csv may be missing. The column class may have the names of the
// job's classes.
GraphData read_graph_csv(const std::filesystem::path& folder, const GraphReading& reading = {});

// The same from open files with all nodes; all but `nodes` may be nullptr.
GraphData read_graph_csv(const ByteSource& nodes, const ByteSource* edges, const GraphReading& reading = {},
                         const ByteSource* graphs = nullptr, const ByteSource* pairs = nullptr);

}  // namespace tacit::gnn
