// Metrics — how good predictions are, computed on secrets: one number each, revealed only if the job lists it.
#pragma once

#include <optional>

#include "gnn/arithmetic/error_sum.h"
#include "gnn/graph/selection.h"
#include "gnn/plan/metric_name.h"

namespace tacit::gnn {

// A metric of predictions for some nodes: a number on shares. reading() turns the revealed number into the metric.
class Measure {
 public:
  // Errors are in the targets' own unit, if there is one.
  Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, Selection nodes,
          const std::optional<ErrorSum::Unit>& unit = std::nullopt);

  // For predictions of all nodes. Rounds: 1 for rmse, 4 for mae, 5 for accuracy (6 with more than 7 classes), at most 2
  // more for lifts.
  Tensor total(Arithmetic& arithmetic, const Tensor& z) const;
  // For predictions of the metric's own nodes alone, in their order.
  Tensor total_of_picked(Arithmetic& arithmetic, const Tensor& picked) const;
  double reading(double total) const;

 private:
  Metric metric_;
  Selection nodes_;
  Tensor y_;                        // the targets of these nodes
  std::optional<ErrorSum> errors_;  // for rmse and mae
};

}  // namespace tacit::gnn
