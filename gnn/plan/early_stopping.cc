#include "gnn/plan/early_stopping.h"

#include <algorithm>
#include <cmath>

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

void Judged::describe(SettingVisitor& visitor, std::string_view about_patience,
                      std::span<const std::string> class_names) {
  const bool of_part = metric == Metric::kLoss;
  std::optional<Metric> named = of_part ? std::nullopt : metric;
  visitor.word({"metric",
                "the number that rank 0 judges: the training loss, or a metric revealed to rank 0; loss with a part is "
                "the metric loss",
                Scope::kRun, true},
               named, judges());
  if (!named && visitor.has("part", of_part)) named = Metric::kLoss;
  if (named)
    visitor.word({"part", "the nodes of the metric: by default validation, and for loss none"}, part, kPartWords);
  metric = named;
  describe_variant(visitor, metric.value_or(Metric::kLoss), of_class, average, bins, class_names);
  visitor.whole({"patience", about_patience}, patience, 1, 1'000'000'000);
  visitor.real({"least_improvement", "a number is better if it beats the best one by more than this"},
               least_improvement, {.least = 0, .most = 1 << 20});
}

double Plateau::lowered(double rate, std::int64_t reductions) const {
  constexpr double kLeastPart = 1e-6;
  const double low = rate * std::max(kLeastPart, std::pow(factor, static_cast<double>(reductions)));
  return std::min(rate, std::max(least, low));
}

bool Progress::is_bettered_by(const Judged& judged, double value) const {
  if (!best) return true;
  const bool larger = judged.metric && larger_is_better(*judged.metric);
  return (larger ? value - *best : *best - value) > judged.least_improvement;
}

bool Progress::is_stale(const Judged& judged, bool better, std::optional<double> value) {
  if (better) best = value;
  stale = better ? 0 : stale + 1;
  return stale >= judged.patience;
}

}  // namespace tacit::gnn
