// GraphSummary — statistics of a graph's numbers, for the graph's owner.
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
  double zeros = 0;          // the share of zeros
  std::int64_t missing = 0;  // values that are NaN; the other figures are of known values
  bool unknown = false;      // no value is known
  Histogram spread;
};

struct EdgeSummary {
  std::int64_t edges = 0, loops = 0, one_way = 0;
  std::int64_t repeated = 0;  // edges equal to an earlier one
  std::int64_t without = 0;   // nodes without an edge
  ColumnSummary out_degree;
};

struct GraphSummary {
  std::vector<ColumnSummary> columns;     // the first few columns of x, then all of y
  std::int64_t columns_left_out = 0;      // columns of x
  std::vector<std::int64_t> class_sizes;  // for classes 0, 1, ...; at most kMostClasses
  bool of_graphs = false;                 // the classes are of graphs, not of nodes
  std::optional<EdgeSummary> edges;
};
inline constexpr std::int64_t kMostClasses = 1024;

GraphSummary summarise(const gnn::GraphData& data, std::int64_t most_columns);

std::string to_text(const GraphSummary& summary, Letters letters);
Json to_json(const GraphSummary& summary);

}  // namespace tacit::launcher
