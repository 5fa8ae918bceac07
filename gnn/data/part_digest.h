// The digest of a party's own part: do its files hold the same data as when a checkpoint was written?
#pragma once

#include "gnn/data/graph_data.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

// The BLAKE2b digest of the graph as it was parsed, so of exactly the bytes that were trained on: no file is opened a
// second time. Every file of a folder counts by its effect on the graph (nodes_of_2.csv by the edges that it resolves).
// The feature columns' names, the file's format and its compression do not count. Secret: whoever sees it could check a
// guess of the data, so a checkpoint shows it hashed with the storage key.
mpc::Digest part_digest(const GraphData& data);

}  // namespace tacit::gnn
