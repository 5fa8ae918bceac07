// GraphSummary — what a graph's numbers look like, to its owner.
#pragma once

#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/data/histogram.h"
#include "launcher/json.h"

namespace tacit::launcher {

struct ColumnSummary {
  std::string name;  // "x 3", "y 0"
  double mean = 0, deviation = 0;
  double zeros = 0;  // share of them
  Histogram spread;
};

struct EdgeSummary {
  std::int64_t edges = 0, loops = 0, one_way = 0;
  std::int64_t repeated = 0;  // edges that another one is equal to, but the first of them
  std::int64_t without = 0;   // nodes that none touches
  ColumnSummary out_degree;
};

struct GraphSummary {
  std::vector<ColumnSummary> columns;     // the first few of x, then all of y
  std::int64_t columns_left_out = 0;      // of x
  std::vector<std::int64_t> class_sizes;  // of classes 0, 1, ...; at most kMostClasses
  std::optional<EdgeSummary> edges;
};
inline constexpr std::int64_t kMostClasses = 1024;

GraphSummary summarise(const gnn::GraphData& data, std::int64_t most_columns);

std::string to_text(const GraphSummary& summary, Letters letters);
Json to_json(const GraphSummary& summary);

}  // namespace tacit::launcher
