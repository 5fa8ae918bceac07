// One way in for graphs, whatever they are stored as.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/csv_rows.h"
#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// From an .npz file or a folder with nodes.csv and edges.csv: gnn/data/README.md says what is in them. Throws
// ConfigError unless it is a graph. Names of arrays or columns that are no part of one are appended to `ignored`: worth
// a line to the user. `rows` says of a folder of an owner of rows which they are; an .npz file says so itself.
GraphData read_graph(const std::filesystem::path& path, std::vector<std::string>* ignored = nullptr,
                     const CsvRows* rows = nullptr);

}  // namespace tacit::gnn
