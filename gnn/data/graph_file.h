// read_graph — reads a graph from a file or folder of any supported format.
#pragma once

#include <filesystem>

#include "gnn/data/graph_data.h"
#include "gnn/data/graph_reading.h"

namespace tacit::gnn {

// Reads an .npz file, or a folder with nodes.csv and edges.csv (gnn/data/README.md). Throws
// ConfigError unless the files form a graph.
GraphData read_graph(const std::filesystem::path& path, const GraphReading& reading = {});

}  // namespace tacit::gnn
