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
  // Errors are told in a unit of their own: 1 in a column of y is `row` · 2^exponent there.
  struct Unit {
    Tensor row;  // at most 1
    int exponent = 0;
  };
  Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, Selection nodes,
          const std::optional<Unit>& unit = std::nullopt);

  // Rounds: 1 for rmse, 4 for mae, 5 for accuracy (6 beyond 7 classes), at most 2 more for lifts.
  Tensor total(Arithmetic& arithmetic, const Tensor& z) const;
  // Of predictions for its own nodes alone, in their order.
  Tensor total_of_picked(Arithmetic& arithmetic, const Tensor& picked) const;
  double reading(double total) const;

 private:
  Tensor correct(Arithmetic& arithmetic, const Tensor& z) const;
  bool fits(const Arithmetic& arithmetic, double mean) const;
  bool fits_in_unit(const Arithmetic& arithmetic, double mean, int magnified) const;
  void choose_format(const Arithmetic& arithmetic);
  static Tensor squared(Arithmetic& arithmetic, const Tensor& unit);
  Tensor in_unit(Arithmetic& arithmetic, const Tensor& by_column) const;

  Metric metric_;
  Selection nodes_;
  Tensor y_;                    // of these nodes
  std::optional<Tensor> unit_;  // of what is added up: squared for squares
  int exponent_ = 0;            // and the power of two that readings are multiplied by
  int magnified_ = 0;           // errors are squared times 2^magnified, so that small squares keep their digits
  double most_ = 0;             // what the sum comes to, in deviations and magnified
};

}  // namespace tacit::gnn
