// EarlyStopping — ends a training when its loss or metric does not improve any more. Rank 0 sees
// and judges the number.
//
// Every rank and the dealer learn one bit for each number, better or not. The session counts the
// bits among its decisions.
#pragma once

#include <optional>

#include "gnn/plan/metric_name.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

// The nodes that a loss or a metric counts.
enum class Part { kTrain, kValidation, kTest };
inline constexpr WordTable<Part, 3> kPartWords = {
    {{Part::kTrain, "train"}, {Part::kValidation, "validation"}, {Part::kTest, "test"}}};
std::string_view name_of(Part part);

struct EarlyStopping {
  std::optional<Metric> metric;   // a metric that is revealed to rank 0; empty: the training loss
  Part part = Part::kValidation;  // nodes of the metric
  std::int64_t patience = 10;     // training stops after this many numbers in a row without improvement
  double least_improvement = 0;

  static constexpr WordTable<std::optional<Metric>, 4> kJudges = {{{std::nullopt, "loss"},
                                                                   {Metric::kRootMeanSquaredError, "rmse"},
                                                                   {Metric::kMeanAbsoluteError, "mae"},
                                                                   {Metric::kAccuracy, "accuracy"}}};

  void describe(SettingVisitor& visitor) {
    visitor.word({"metric", "the number that rank 0 judges: the training loss, or a metric revealed to rank 0",
                  Scope::kRun, true},
                 metric, kJudges);
    if (metric) {
      visitor.word({"part", "the nodes of the metric"}, part, kPartWords);
    } else {
      visitor.exclude("part", "the training loss always counts the training nodes; take it out, or name a metric");
    }
    visitor.whole({"patience", "training stops after so many numbers in a row that are not better"}, patience, 1,
                  1'000'000'000);
    visitor.real({"least_improvement", "a number is better if it beats the best one by more than this"},
                 least_improvement, {.least = 0, .most = 1 << 20});
  }
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
