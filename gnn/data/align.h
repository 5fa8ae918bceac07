// aligned — a party's part of the data, cut down to some of its nodes and put into another order.
#pragma once

#include <span>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

struct Aligned {
  GraphData data;
  std::int64_t nodes_left_out = 0;
  std::int64_t edges_left_out = 0;  // that lead to or from a node that is left out
};

// Row r of the result is row rows[r] of the part, which has rows for all nodes. Edges are numbered anew and sorted:
// equal graphs in two files stay equal, whatever order their lines had.
Aligned aligned(const GraphData& part, std::span<const std::int64_t> rows);

}  // namespace tacit::gnn
