#include "gnn/train/own_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/data/labels.h"
#include "gnn/data/preparation.h"
#include "gnn/train/agreement.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

Rows inside(Rows rows, const NodeRange& own) {
  std::erase_if(rows, [&](std::int64_t row) { return !own.contains(row); });
  return rows;
}

void check_within(const Matrix& numbers, double bound, std::string_view what, std::string_view where) {
  const double largest = numbers.size() == 0 ? 0 : numbers.cwiseAbs().maxCoeff();
  if (largest <= bound) return;  // false for NaN
  throw ConfigError(
      fmt::format("{}: a {} is beyond ranges.features, {:g}; declare a wider range, the same at every rank, or scale "
                  "the column by a constant",
                  where, what, bound),
      fmt::format("its size is {:g}", largest), fmt::format("has a {} beyond ranges.features, {:g}", what, bound));
}

}  // namespace

void check_within_ranges(const TrainingPlan& training, const GraphData& own, std::string_view where) {
  const double bound = training.ranges.features;
  if (own.x) check_within(*own.x, bound, "feature", where);
  if (own.sparse_x) check_within(own.sparse_x->dense(), bound, "feature", where);
  // Without a label, a target is not a number. On shares, targets are bounded as features are.
  if (own.targets && !training.aggregates()) {
    check_within(with_zeros_for_unknown(*own.targets), bound, "target", where);
  }
}

OwnRecords own_records(const DataPlan& data, const TrainingPlan& training, const GraphData& own,
                       std::int64_t most_drawn, std::string_view where) {
  check_within_ranges(training, own, where);
  OwnRecords records;
  if (own.x) records.x = *own.x;
  if (own.sparse_x) records.x = own.sparse_x->dense();
  if (own.classes) records.y = one_hot(*own.classes, data.classes);
  if (own.targets) records.y = with_zeros_for_unknown(*own.targets);
  records.train = rows_of(own, Part::kTrain);
  records.validation = rows_of(own, Part::kValidation);
  records.test = rows_of(own, Part::kTest);
  if (own.own_rows && records.x.rows() == own.nodes) {  // the file has rows for all nodes
    for (Rows* rows : {&records.train, &records.validation, &records.test})
      *rows = inside(std::move(*rows), *own.own_rows);
  }
  records.most_drawn = most_drawn;
  return records;
}

}  // namespace tacit::gnn
