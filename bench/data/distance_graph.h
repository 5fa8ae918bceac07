// A graph over places, which joins near places.
#pragma once

#include <span>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// A place in whole metres, so that distances and their ties are the same on every machine.
struct Spot {
  std::int64_t x = 0, y = 0;
};

// Joins each place and its `neighbours` nearest ones (the first of equally near ones) in both directions. Then joins
// separate components at their nearest places. Edges ascend by source, then target.
Edges distance_graph(std::span<const Spot> places, int neighbours);

}  // namespace tacit::gnn
