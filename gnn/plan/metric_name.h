// The metrics of a training, by name. gnn/train/metric.h computes them.
#pragma once

#include <optional>
#include <string_view>

namespace tacit::gnn {

enum class Metric { kRootMeanSquaredError, kMeanAbsoluteError, kAccuracy };
std::string_view name_of(Metric metric);
std::optional<Metric> metric_named(std::string_view name);  // "rmse", "mae", "accuracy"

}  // namespace tacit::gnn
