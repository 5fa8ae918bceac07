// Splits a graph into the parts of the parties' files, and merges the parts again.
#pragma once

#include <span>

#include "gnn/data/ownership.h"

namespace tacit::gnn {

// The content of this rank's file: the public parts, and the rank's pieces of the others. A split
// by columns gives a row for every node. A split by rows gives the rows of the rank's own nodes;
// own_rows states the nodes. A split of edges by owner gives the edges that leave the rank's own
// nodes, so an undirected edge between two owners' nodes is in both files, once in each direction.
// If any rank may hold any edge, the owners of both its nodes have it, as two banks see a transfer. An edge
// with a weight goes to the owner of its source alone, since weights add up. Without owners of nodes, one rank
// has the edge, in both directions.
// Ids cover the nodes for which the file has rows. A rank without a piece of a part does not have
// that part, not even as an empty matrix. A rank that owns nodes always has a list of edges, which
// may be empty. Throws ConfigError if the job does not fit the graph.
GraphData part_of(const GraphData& whole, const Ownership& ownership, int rank, int parties);

// Merges the parts of ranks 0, 1, …, for tests and for tools that may see all data. Edges by owner
// come in rank order. Throws ConfigError unless agreed_holding() accepts the parts.
GraphData merge(std::span<const GraphData> parts, const Ownership& ownership);

}  // namespace tacit::gnn
