// read_node_list — the nodes, graphs or pairs that a user names for a prediction. The file is text with one of them
// on each line: a number, or a node's id if the part has ids. Empty lines and comments are skipped; a comment begins
// with a # at the beginning of a line or after a space, and ends with the line.
#pragma once

#include <filesystem>

#include "gnn/data/graph_data.h"
#include "gnn/graph/rows.h"

namespace tacit::launcher {

// Returns ascending numbers without repetitions; with snapshots, the rows of the named nodes in all snapshots
// (gnn/data/snapshots.h). Throws ConfigError that names the line, for a node that the part does not have. `pairs`:
// the job learns links.
gnn::Rows read_node_list(const std::filesystem::path& file, const gnn::GraphData& part, bool pairs);

}  // namespace tacit::launcher
