#include "gnn/metric/metric_name.h"

namespace tacit::gnn {

std::string_view name_of(Metric metric) {
  for (const auto& [kind, name] : kMetrics) {
    if (kind == metric) return name;
  }
  return "";
}

bool is_for_targets(Metric metric) {
  return is_in_unit_of_targets(metric) || metric == Metric::kR2 || metric == Metric::kExplainedVariance ||
         metric == Metric::kLoss;
}

bool is_for_classes(Metric metric) { return !is_for_targets(metric) || metric == Metric::kLoss; }

bool is_in_unit_of_targets(Metric metric) {
  return metric == Metric::kRootMeanSquaredError || metric == Metric::kMeanAbsoluteError;
}

bool is_class_rate(Metric metric) {
  return metric == Metric::kPrecision || metric == Metric::kRecall || metric == Metric::kF1;
}

bool is_ranking(Metric metric) { return metric == Metric::kRocAuc || metric == Metric::kAveragePrecision; }

bool is_sum_over_rows(Metric metric) {
  return is_in_unit_of_targets(metric) || metric == Metric::kAccuracy || metric == Metric::kLogLoss ||
         metric == Metric::kLoss;
}

bool larger_is_better(Metric metric) {
  return !is_in_unit_of_targets(metric) && metric != Metric::kLogLoss && metric != Metric::kLoss;
}

}  // namespace tacit::gnn
