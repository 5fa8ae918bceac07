#include "launcher/plan/advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacit::launcher {

std::vector<std::string> advice_on(const gnn::Plans& plans) {
  const gnn::TrainingPlan& training = plans.training;
  std::vector<std::string> advice;
  if (plans.data.classes != 2 || training.privacy) return advice;  // a job with [privacy] refuses these settings
  const auto reveals = [&](const auto& condition) {
    return std::any_of(training.metrics.begin(), training.metrics.end(),
                       [&](const gnn::Revealed& what) { return condition(what.metric); });
  };
  const bool accuracy = reveals([](gnn::Metric metric) { return metric == gnn::Metric::kAccuracy; });
  const bool tells_rare = reveals([](gnn::Metric metric) {
    return gnn::is_class_rate(metric) || gnn::is_ranking(metric) || metric == gnn::Metric::kConfusion;
  });
  if (accuracy && !tells_rare) {
    advice.emplace_back(
        "if one class is rare, accuracy hides it: with 3 % positives, a model that finds none is right for 97 %; "
        "reveal "
        "recall and f1 as well ([[reveal.metric]], what = \"recall\")");
  }
  if (!training.class_weights.any()) {
    advice.push_back(
        fmt::format("if one class is rare, training.class_weights = \"balanced\" makes it count as much as the other; "
                    "the number of {}s in it stays secret",
                    gnn::subject_name(plans.data.ownership.graphs, plans.data.ownership.pairs)));
  }
  return advice;
}

}  // namespace tacit::launcher
