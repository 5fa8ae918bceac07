// The metrics of a training, by name, and the labels that each metric judges. measure.h computes the metrics.
#pragma once

#include <string_view>

#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

enum class Metric {
  kRootMeanSquaredError,
  kMeanAbsoluteError,
  kAccuracy,
  kPrecision,
  kRecall,
  kF1,
  kConfusion,
  kRocAuc,
  kAveragePrecision,
  kLogLoss,
  kLoss,
  kR2,
  kExplainedVariance,
};
inline constexpr WordTable<Metric, 13> kMetrics = {{{Metric::kRootMeanSquaredError, "rmse"},
                                                    {Metric::kMeanAbsoluteError, "mae"},
                                                    {Metric::kAccuracy, "accuracy"},
                                                    {Metric::kPrecision, "precision"},
                                                    {Metric::kRecall, "recall"},
                                                    {Metric::kF1, "f1"},
                                                    {Metric::kConfusion, "confusion"},
                                                    {Metric::kRocAuc, "roc_auc"},
                                                    {Metric::kAveragePrecision, "average_precision"},
                                                    {Metric::kLogLoss, "log_loss"},
                                                    {Metric::kLoss, "loss"},
                                                    {Metric::kR2, "r2"},
                                                    {Metric::kExplainedVariance, "explained_variance"}}};
std::string_view name_of(Metric metric);

// The loss is for both.
bool is_for_classes(Metric metric);
bool is_for_targets(Metric metric);

bool is_in_unit_of_targets(Metric metric);  // rmse, mae
bool is_class_rate(Metric metric);          // precision, recall, f1: of one class, or an average over classes
bool is_ranking(Metric metric);             // roc_auc, average_precision: of one class against the others, in bins
bool is_sum_over_rows(Metric metric);       // accuracy, log_loss, loss, rmse, mae, which are means or roots of means
bool larger_is_better(Metric metric);

}  // namespace tacit::gnn
