// batches_of — the labelled nodes of each training step, shuffled by the job's seed. Public.
//
// The assignment of nodes to batches is the same in every epoch, so that rows which are gathered
// and masked for a batch serve all epochs. The order of the batches differs from epoch to epoch.
#pragma once

#include "gnn/graph/rows.h"

namespace tacit::gnn {

// Splits `count` labelled nodes into batches of at most `size`, as even as possible; size 0 means
// one batch. A batch is a list of positions among the labelled nodes, ascending.
std::vector<Rows> batches_of(std::int64_t count, std::int64_t size, std::uint64_t seed);

// The order of the batches in an epoch, as indices.
std::vector<std::size_t> order_of_batches(std::size_t batches, std::uint64_t seed, std::int64_t epoch);

}  // namespace tacit::gnn
