// Do all parties' files have the same in what is public?
#pragma once

#include "gnn/data/ownership.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

// The BLAKE2b digest of the public parts. Parties compare theirs before they start: with another graph at one of them,
// training would go wrong without a sign, and nobody can make another graph of the same digest. It is for the parties
// alone: the dealer, who has no part of the data, could tell by it whether a graph that it guesses is theirs.
mpc::Digest public_digest(const GraphData& data, const Ownership& ownership);

}  // namespace tacit::gnn
