#include "gnn/train/target_scale.h"

#include <algorithm>

#include "gnn/data/labels.h"
#include "gnn/train/agreement.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

}  // namespace

bool scaled_by_training_nodes(const DataPlan& data) {
  const PartOwnership &labels = data.ownership.labels, &masks = data.ownership.masks;
  if (labels.kind == Kind::kByRows) return false;
  return masks.kind == Kind::kPublic ||
         (masks.kind == Kind::kWhole && labels.kind == Kind::kWhole && labels.rank == masks.rank);
}

Matrix targets_of_scale(const DataPlan& data, const GraphData& part) {
  const Rows labelled = labelled_rows(part);
  Rows rows = labelled;
  if (scaled_by_training_nodes(data)) {
    rows = rows_of(part, Part::kTrain);
    // The file may not fit the job.
    std::erase_if(rows, [&](std::int64_t row) { return !std::binary_search(labelled.begin(), labelled.end(), row); });
  }
  return (*part.targets)(rows, Eigen::all);
}

}  // namespace tacit::gnn
