// Checks that a metric can be computed for the number of nodes. The ranks call it when they have agreed on the counts of nodes,
// before they share anything.
#pragma once

#include <string_view>

#include "gnn/metric/revealed.h"

namespace tacit::gnn {

// Throws ConfigError: no node at all, more than a metric counts or compares, or fewer than it has bins. `subject`: "node",
// "graph" or "pair": the unit that the metric counts.
void expect_countable(const Revealed& what, std::int64_t nodes, std::string_view subject = "node");

}  // namespace tacit::gnn
