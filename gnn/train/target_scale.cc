#include "gnn/train/target_scale.h"

#include "gnn/train/agreement.h"

namespace tacit::gnn {

using Kind = PartOwnership::Kind;

bool scaled_by_training_nodes(const DataPlan& data) {
  const PartOwnership &labels = data.ownership.labels, &masks = data.ownership.masks;
  if (masks.kind == Kind::kPublic) return true;
  if (labels.kind != masks.kind) return false;
  return masks.kind == Kind::kByRows || (masks.kind == Kind::kWhole && labels.rank == masks.rank);
}

bool scaled_across_owners(const DataPlan& data) {
  return data.classes == 0 && data.standardise_targets && data.ownership.labels.kind == Kind::kByRows;
}

Matrix targets_of_scale(const DataPlan& data, const GraphData& part) {
  const Matrix& targets = *part.targets;
  if (!scaled_by_training_nodes(data)) return targets;
  // Targets are of all nodes, or of the part's own.
  const bool all = targets.rows() == part.nodes;
  Rows rows = all ? rows_of(part, Part::kTrain) : own_rows_of(part, Part::kTrain);
  std::erase_if(rows, [&](std::int64_t row) { return row >= targets.rows(); });  // of a file that fits no job
  return targets(rows, Eigen::all);
}

}  // namespace tacit::gnn
