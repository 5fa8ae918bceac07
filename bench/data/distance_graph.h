// A graph over places: who is near whom.
#pragma once

#include <span>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// In whole metres, so that distances and their ties come out the same on every machine.
struct Spot {
  std::int64_t x = 0, y = 0;
};

// Each place and its `neighbours` nearest ones (of equally near ones the first) are joined, in both directions; then
// whatever does not hang together is joined where it comes nearest. Edges ascend by source, then target.
Edges distance_graph(std::span<const Spot> places, int neighbours);

}  // namespace tacit::gnn
