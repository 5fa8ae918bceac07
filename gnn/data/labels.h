// Labels, known and unknown. A node without a label has class kUnknownClass, or a target that is not a number (NaN). It takes
// part in the graph and is predicted as any other node, but no mask may name it.
#pragma once

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

inline constexpr std::int64_t kUnknownClass = -1;

// The rows of y that have a label, ascending. Of several targets, all must be known.
std::vector<std::int64_t> labelled_rows(const GraphData& data);

// The targets of these rows.
Matrix labelled_targets(const GraphData& data);

// With zeros in the rows that are not all numbers: they are read by nobody.
Matrix with_zeros_for_unknown(Matrix targets);

// Throws ConfigError if a mask of the same file names a node without a label.
void check_labels_of_masks(const GraphData& data, std::string_view where);

}  // namespace tacit::gnn
