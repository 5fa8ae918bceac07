// Reads nodes.csv, which has a line for each node (and each snapshot, with a column snapshot), and graphs.csv, which has a line for each graph. The name of a column
// determines its meaning.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gnn/data/byte_source.h"
#include "gnn/data/class_names.h"
#include "gnn/data/graph_data.h"

namespace tacit::gnn {

struct HashOfText : std::hash<std::string_view> {
  using is_transparent = void;  // allows a look-up without a std::string
};
using NodeIds = std::unordered_map<std::string, std::int64_t, HashOfText, std::equal_to<>>;

struct NodesCsv {
  GraphData data;  // without edges and graphs
  std::optional<NodeIds> ids;
  std::vector<std::string> graphs;  // the name of each line's graph, from the column graph; empty without this column
};

// `class_names`: the names of classes in the job; the column `class` may have them. `may_be_empty`: accept a file without
// nodes. `missing_features`: a feature may be missing, as an empty field or "nan", and is NaN then.
NodesCsv read_nodes_csv(const ByteSource& file, std::span<const std::string> class_names = {},
                        bool may_be_empty = false, bool missing_features = false);

}  // namespace tacit::gnn
