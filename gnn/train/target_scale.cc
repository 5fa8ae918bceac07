#include "gnn/train/target_scale.h"

#include "gnn/train/agreement.h"

namespace tacit::gnn {

using Kind = PartOwnership::Kind;

bool scaled_by_training_nodes(const DataPlan& data) {
  const PartOwnership &labels = data.ownership.labels, &masks = data.ownership.masks;
  if (labels.kind == Kind::kByRows) return false;
  return masks.kind == Kind::kPublic ||
         (masks.kind == Kind::kWhole && labels.kind == Kind::kWhole && labels.rank == masks.rank);
}

Matrix targets_of_scale(const DataPlan& data, const GraphData& part) {
  const Matrix& targets = *part.targets;
  if (!scaled_by_training_nodes(data)) return targets;
  Rows rows = rows_of(part, Part::kTrain);
  std::erase_if(rows, [&](std::int64_t row) { return row >= targets.rows(); });  // the file may not fit the job
  return targets(rows, Eigen::all);
}

}  // namespace tacit::gnn
