// EarlyStopping — ends a training that does not get better any more, judged by a number that rank 0 sees.
//
// What every rank and the dealer learn is one bit for each number: whether it was better. The bits are counted among
// the session's decisions.
#pragma once

#include <optional>

#include "gnn/plan/metric_name.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

// Nodes that count for something.
enum class Part { kTrain, kValidation, kTest };
inline constexpr WordTable<Part, 3> kPartWords = {
    {{Part::kTrain, "train"}, {Part::kValidation, "validation"}, {Part::kTest, "test"}}};
std::string_view name_of(Part part);

struct EarlyStopping {
  std::optional<Metric> metric;   // of those that are revealed to rank 0; none: the training loss
  Part part = Part::kValidation;  // of the metric
  std::int64_t patience = 10;     // so many times in a row that it was not better
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
      visitor.exclude("part", "the training loss is that of the nodes trained on; take it out, or name a metric");
    }
    visitor.whole({"patience", "training stops after so many numbers in a row that are not better"}, patience, 1,
                  1'000'000'000);
    visitor.real({"least_improvement", "a number is better if it beats the best one by more than this"},
                 least_improvement, {.least = 0, .most = 1 << 20});
  }
};

// What has been seen so far.
struct Progress {
  std::int64_t stale = 0;      // times in a row that it was not better
  std::optional<double> best;  // at ranks that see it

  bool is_bettered_by(const EarlyStopping& stopping, double value) const;
  // Whether training stops after one more of them; `value` where this rank sees it.
  bool stops(const EarlyStopping& stopping, bool better, std::optional<double> value);
};

}  // namespace tacit::gnn
