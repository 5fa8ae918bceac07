// read_node_list — the nodes, graphs or pairs that a user names for a prediction, from a text file with one on
// each line: its number, or a node's id if the part has ids. Empty lines are skipped, and comments: a # at the
// beginning of a line or behind a space, and what follows.
#pragma once

#include <filesystem>

#include "gnn/data/graph_data.h"
#include "gnn/graph/rows.h"

namespace tacit::launcher {

// Ascending, each once; with snapshots, the rows of the nodes in all of them (gnn/data/snapshots.h). Throws ConfigError that names the line, for a node that the part does not have. `pairs`: the job
// learns links.
gnn::Rows read_node_list(const std::filesystem::path& file, const gnn::GraphData& part, bool pairs);

}  // namespace tacit::launcher
