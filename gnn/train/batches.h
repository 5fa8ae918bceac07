// Batches — which labelled nodes each step of an epoch is trained on. Public, from the job's seed.
//
// Nodes are dealt to batches once, so that what is gathered and masked for a batch serves every epoch; the order of
// batches is another one in every epoch.
#pragma once

#include "gnn/graph/rows.h"

namespace tacit::gnn {

// Of `count` nodes, batches of `size` at most, as even as possible; of size 0, one with all. Positions among the
// labelled nodes, ascending.
std::vector<Rows> batches_of(std::int64_t count, std::int64_t size, std::uint64_t seed);

// Which batch is the first of an epoch, the second, …
std::vector<std::size_t> order_of_batches(std::size_t batches, std::uint64_t seed, std::int64_t epoch);

}  // namespace tacit::gnn
