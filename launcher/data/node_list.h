// read_node_list — the nodes that a user names for a prediction, from a text file with a node on
// each line: its number, or its id if the part has ids. Empty lines and lines after # are skipped.
#pragma once

#include <filesystem>

#include "gnn/data/graph_data.h"
#include "gnn/graph/rows.h"

namespace tacit::launcher {

// Ascending, each once. Throws ConfigError that names the line, for a node that the part does not have.
gnn::Rows read_node_list(const std::filesystem::path& file, const gnn::GraphData& part);

}  // namespace tacit::launcher
