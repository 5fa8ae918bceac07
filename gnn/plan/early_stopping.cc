#include "gnn/plan/early_stopping.h"

namespace tacit::gnn {

namespace {

// Every metric that is one number. The word "loss" alone is the training loss, and with a part the metric loss.
constexpr WordTable<std::optional<Metric>, 12> judges() {
  WordTable<std::optional<Metric>, 12> words;
  std::size_t next = 0;
  words[next++] = {std::nullopt, "loss"};
  for (const auto& [metric, word] : kMetrics) {
    if (metric != Metric::kLoss && metric != Metric::kConfusion) words[next++] = {metric, word};
  }
  return words;
}

}  // namespace

void EarlyStopping::describe_judge(SettingVisitor& visitor) {
  const bool of_part = metric == Metric::kLoss;
  std::optional<Metric> judged = of_part ? std::nullopt : metric;
  visitor.word({"metric",
                "the number that rank 0 judges: the training loss, or a metric revealed to rank 0; loss with a part is "
                "the metric loss",
                Scope::kRun, true},
               judged, judges());
  if (!judged && visitor.has("part", of_part)) judged = Metric::kLoss;
  if (judged)
    visitor.word({"part", "the nodes of the metric: by default validation, and for loss none"}, part, kPartWords);
  metric = judged;
}

bool Progress::is_bettered_by(const EarlyStopping& stopping, double value) const {
  if (!best) return true;
  const bool larger = stopping.metric && larger_is_better(*stopping.metric);
  return (larger ? value - *best : *best - value) > stopping.least_improvement;
}

bool Progress::stops(const EarlyStopping& stopping, bool better, std::optional<double> value) {
  if (better) best = value;
  stale = better ? 0 : stale + 1;
  return stale >= stopping.patience;
}

}  // namespace tacit::gnn
