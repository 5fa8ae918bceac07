// part_digest — a digest of a party's own part, which tells a resume whether the data has changed.
#pragma once

#include "gnn/data/graph_data.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

// The BLAKE2b digest of the parsed graph, and therefore of exactly the data that was trained on; no
// file is opened a second time. Every file of a folder counts by its effect on the graph
// (nodes_of_2.csv by the edges that it resolves). The names of feature columns, the file format and
// the compression do not count. The digest is secret, because a reader could check guesses of the
// data with it. A checkpoint has it hashed with the storage key.
mpc::Digest part_digest(const GraphData& data);

}  // namespace tacit::gnn
