// Metrics — how good predictions are, computed on secrets: one number each, revealed only if the job lists it.
#pragma once

#include <optional>
#include <string_view>

#include "gnn/loss/loss.h"

namespace tacit::gnn {

enum class Metric { kRootMeanSquaredError, kMeanAbsoluteError, kAccuracy };
std::string_view name_of(Metric metric);
std::optional<Metric> metric_named(std::string_view name);  // "rmse", "mae", "accuracy"

// Of predictions for all nodes and what they should be, over some nodes: a number that, once revealed, reading() turns
// into the metric.
class Measure {
 public:
  // Errors are told in `unit`, a row: so much is 1 in each column of y.
  Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, Selection nodes,
          const std::optional<Tensor>& unit = std::nullopt);

  // Rounds: 1 for rmse, 4 for mae, 5 for accuracy (6 beyond 7 classes), at most 2 more for lifts.
  Tensor total(Arithmetic& arithmetic, const Tensor& z) const;
  double reading(double total) const;

 private:
  Tensor correct(Arithmetic& arithmetic, const Tensor& z) const;
  double largest_mean(const Arithmetic& arithmetic, double unit) const;
  int sum_bits(const Arithmetic& arithmetic) const;
  static Tensor squared(Arithmetic& arithmetic, const Tensor& unit);
  Tensor in_unit(Arithmetic& arithmetic, const Tensor& by_column) const;

  Metric metric_;
  Selection nodes_;
  Tensor y_;                    // of these nodes
  std::optional<Tensor> unit_;  // of what is added up: squared for squares
  double most_ = 0;             // that this comes to, in deviations
};

}  // namespace tacit::gnn
