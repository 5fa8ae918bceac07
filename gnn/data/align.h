// aligned — selects some nodes of a party's part of the data, in a given order.
#pragma once

#include <span>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

struct Aligned {
  GraphData data;
  std::int64_t nodes_left_out = 0;
  std::int64_t edges_left_out = 0;  // edges to or from a node that is left out
};

// Node i of the result is node nodes[i] of the part, in every snapshot. The part has rows for all nodes. Edges are
// renumbered and sorted, so that two files with equal graphs give equal results, for any order of
// their edges.
Aligned aligned(const GraphData& part, std::span<const std::int64_t> nodes);

}  // namespace tacit::gnn
