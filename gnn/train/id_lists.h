// compare_id_lists — checks the lists of other ranks' ids, the files nodes_of_<rank>.csv: an edge ends at the row of its id in
// such a list, so an older list, or one in another order, leads edges to wrong nodes.
//
// For each rank whose ids another rank has a list of, the holders of the list, and the rank itself if its own file names its
// nodes, compare the list pair by pair with a private equality test (mpc/sets/equality.h), before any data are shared. A hash of
// a list would let its reader test guesses of the whole list.
//
// Reveals   to all ranks and the dealer, which rank has a list of which other rank's ids, and which lists differ. A list that no
//           edge uses counts, so that nothing of the edges is told
// Rounds    1; with lists, 2 for each rank whose list is compared, and 1 more
//
// If the rank itself has no ids and one rank alone has the list, there is nothing to compare with, and the list is taken on trust.
#pragma once

#include <span>

#include "gnn/data/holding.h"
#include "net/mesh.h"

namespace tacit::gnn {

// Every rank calls it. Does nothing, without a round, unless the job splits the nodes of a graph by rows. Throws the same
// ConfigError at every rank. The error names ranks and files, never an id.
void compare_id_lists(net::Mesh& mesh, const Ownership& ownership, std::span<const Announcement> announced,
                      const GraphData* own);

// The same check for a process that holds all parts.
void expect_equal_id_lists(std::span<const GraphData> parts);

}  // namespace tacit::gnn
