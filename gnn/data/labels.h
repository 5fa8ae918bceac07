// Labels, known and unknown. A node without a label has class kUnknownClass, or a target that is not a number (NaN). Such a
// node takes part in the graph and is predicted as any other node, but no mask may name it.
#pragma once

#include "gnn/data/ownership.h"

namespace tacit::gnn {

inline constexpr std::int64_t kUnknownClass = -1;

// The rows of y that have a label, ascending. Of several targets, all must be known.
std::vector<std::int64_t> labelled_rows(const GraphData& data);

// The targets of labelled_rows().
Matrix labelled_targets(const GraphData& data);

// The targets with zeros in the rows that are not all numbers. No code reads these rows.
Matrix with_zeros_for_unknown(Matrix targets);

// Throws ConfigError if a mask of the same file names a node without a label.
void check_labels_of_masks(const GraphData& data, std::string_view where);

// True if the rank's file has the mask of each node for which it has a label, so that check_labels_of_masks sees every node
// that a mask names without a label. If labels are split by columns, a private mask is with one of several owners.
bool sees_masks_of_labels(const Ownership& ownership, int rank);
// The reason of a refusal where a rank does not, for this number of subjects without a label (subject_name).
std::string unseen_masks(std::int64_t unlabelled, std::string_view subject);

}  // namespace tacit::gnn
