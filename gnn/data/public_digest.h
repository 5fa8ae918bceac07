// public_digest — a digest of the public parts, by which parties check that they have the same
// public data.
#pragma once

#include "gnn/data/ownership.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

// The BLAKE2b digest of the public parts. Parties compare their digests before they start, because
// training would go wrong without an error if their graphs differed. Two different graphs with one
// digest cannot be found. Only parties may see the digest: the dealer, which has no data, could
// check guesses of the graph with it.
mpc::Digest public_digest(const GraphData& data, const Ownership& ownership);

}  // namespace tacit::gnn
