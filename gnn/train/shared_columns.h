// SharedColumns — the part of a graph that training and prediction share in the same way: the
// columns of features, scaled, and the units of the targets.
//
// Data leave their owners as shares only. If one owner holds all rows or all columns that a scaling
// needs, it scales its own data; otherwise the data are scaled on shares.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gnn/data/holding.h"
#include "gnn/plan/data_plan.h"
#include "gnn/plan/training_plan.h"
#include "gnn/train/agreement.h"
#include "gnn/train/data_scale.h"

namespace tacit::gnn {

class SharedColumns {
 public:
  // All must outlive it. `part_of` as in share_graph.h.
  SharedColumns(mpc::Session& session, const DataPlan& data, const TrainingPlan& training, const Holding& holding,
                const PartOf& part_of);

  using Values = std::function<Matrix(const GraphData&)>;

  // All nodes' features, scaled by their own means and deviations, which scale() has afterwards. If owners of rows scale
  // together and scale() is known already, by that.
  Tensor features();
  // The same, scaled by the means and deviations of a training. Throws ConfigError at an owner with
  // features too far from the training's.
  Tensor features_scaled_by(const DataScale& scale);

  // The scale of columns of targets that the owners of rows scale together.
  DataScale::Shared scale_of_targets(std::int64_t columns);
  DataScale& scale() { return scale_; }

  // A matrix from the owners' blocks.
  Tensor joined(const PartOwnership& ownership, const std::vector<Block>& blocks, Shape whole, const Values& values,
                const std::string& name, Precision precision = Precision::kValue);
  Tensor joined(const PartOwnership& ownership, const std::vector<Block>& blocks, Shape whole, const Values& values,
                const std::string& name, Precision precision, double bound);
  Tensor input_of(int rank, Shape shape, Precision precision, double bound, const Values& values,
                  const std::string& name);

  // The statistics of the part's owner, in scale().
  DataScale::Own& own(const GraphData& part);
  // The part of a party that this process holds; null at the dealer and in a planning session.
  const GraphData* any_part() const { return any_part_; }
  // This rank's part, if this process holds it.
  const GraphData* part_of(int rank) const { return part_of_(rank); }
  Arithmetic& arithmetic() { return arithmetic_; }
  void begin_sharing() { session_.begin_part("sharing the data"); }

 private:
  Tensor standardised_by_rows();
  Tensor divided_by_rows_of_all(int owners);
  Tensor scaled(const DataScale& by);
  std::vector<int> powers_to(int largest, int step, const std::vector<Block>& blocks, std::int64_t columns,
                             const Values& sizes, const std::string& what);
  Tensor largest_magnitudes(int step, const std::vector<Block>& blocks, std::int64_t columns, const Values& sizes);
  ColumnScale scale_of(const std::vector<std::int64_t>& rows, std::int64_t columns, const Values& values,
                       Elements elements = Elements::kComplete);
  Matrix standardised_alone(const Matrix& x, const Statistics& by) const;
  Tensor added(const std::vector<Block>& blocks, const Values& values, double bound);
  std::optional<Matrix> own_values(int rank, const Values& values) const;

  mpc::Session& session_;
  const DataPlan& data_;
  const TrainingPlan& training_;
  const Holding& holding_;
  const PartOf& part_of_;
  Arithmetic arithmetic_;
  const GraphData* any_part_ = nullptr;
  DataScale scale_;
};

// The columns of features that owners of rows scale together, that were zero in all of the training's data, and that are not
// zero in the part. The training learned no weight for such a column, so a prediction takes them for zero.
std::vector<std::int64_t> columns_taken_for_zero(const GraphData& part, const DataScale& scale);

// The numbers of columns at each rank.
std::vector<std::int64_t> columns_of(const std::vector<Block>& blocks);

}  // namespace tacit::gnn
