#include "gnn/plan/early_stopping.h"

namespace tacit::gnn {

std::string_view name_of(Part part) {
  return part == Part::kTrain ? "train" : part == Part::kValidation ? "validation" : "test";
}

bool Progress::is_bettered_by(const EarlyStopping& stopping, double value) const {
  if (!best) return true;
  const bool larger_is_better = stopping.metric == Metric::kAccuracy;
  return (larger_is_better ? value - *best : *best - value) > stopping.least_improvement;
}

bool Progress::stops(const EarlyStopping& stopping, bool better, std::optional<double> value) {
  if (better) best = value;
  stale = better ? 0 : stale + 1;
  return stale >= stopping.patience;
}

}  // namespace tacit::gnn
