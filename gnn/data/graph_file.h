// One way in for graphs, whatever they are stored as.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// From an .npz file or a folder with nodes.csv and edges.csv: gnn/data/README.md says what is in them. Throws
// ConfigError unless it is a graph. Names of arrays or columns that are no part of one are appended to `ignored`: worth
// a line to the user.
GraphData read_graph(const std::filesystem::path& path, std::vector<std::string>* ignored = nullptr);

}  // namespace tacit::gnn
