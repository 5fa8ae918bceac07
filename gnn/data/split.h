// One graph into the parts that the parties' files hold, and back.
#pragma once

#include <span>

#include "gnn/data/ownership.h"

namespace tacit::gnn {

// What the file of this rank holds: what is public, and its own share of the rest. By columns: a row for every node. By
// rows: its own nodes' rows, and own_rows says which. Edges by owner: those that leave its own nodes; an undirected
// edge between two owners' nodes is in both files, once each way. Ids are those of the nodes that it has rows for.
// Who holds nothing of a part has no such part, not an empty one; but whoever owns nodes has a list of edges, however
// short. ConfigError where the job doesn't fit the graph.
GraphData part_of(const GraphData& whole, const Ownership& ownership, int rank, int parties);

// The graph whose parts ranks 0, 1, … hold: for tests and for tools, where one place may see all. Edges by owner come
// in rank order. ConfigError where they are not parts of one graph (agreed_shapes says so).
GraphData merge(std::span<const GraphData> parts, const Ownership& ownership);

}  // namespace tacit::gnn
