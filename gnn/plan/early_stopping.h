// EarlyStopping — ends a training when its loss or metric does not improve any more. Rank 0 sees
// and judges the number.
//
// Every rank and the dealer learn one bit for each number, better or not. The session counts the
// bits among its decisions.
#pragma once

#include <optional>

#include "gnn/metric/metric_name.h"
#include "gnn/metric/part.h"

namespace tacit::gnn {

struct EarlyStopping {
  std::optional<Metric> metric;   // a metric that is revealed to rank 0; empty: the training loss
  Part part = Part::kValidation;  // nodes of the metric
  std::int64_t patience = 10;     // training stops after this many numbers in a row without improvement
  double least_improvement = 0;

  void describe(SettingVisitor& visitor) {
    describe_judge(visitor);
    visitor.whole({"patience", "training stops after so many numbers in a row that are not better"}, patience, 1,
                  1'000'000'000);
    visitor.real({"least_improvement", "a number is better if it beats the best one by more than this"},
                 least_improvement, {.least = 0, .most = 1 << 20});
  }

 private:
  void describe_judge(SettingVisitor& visitor);
};

// The state of early stopping.
struct Progress {
  std::int64_t stale = 0;      // numbers in a row without improvement
  std::optional<double> best;  // only at ranks that see the number

  bool is_bettered_by(const EarlyStopping& stopping, double value) const;
  // Counts one more number, and returns true if training stops. `value` is given at ranks that see
  // the number.
  bool stops(const EarlyStopping& stopping, bool better, std::optional<double> value);
};

}  // namespace tacit::gnn
