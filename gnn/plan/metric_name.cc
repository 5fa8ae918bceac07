#include "gnn/plan/metric_name.h"

#include <array>

namespace tacit::gnn {

namespace {

constexpr std::array<std::pair<Metric, std::string_view>, 3> kNames = {
    {{Metric::kRootMeanSquaredError, "rmse"}, {Metric::kMeanAbsoluteError, "mae"}, {Metric::kAccuracy, "accuracy"}}};

}  // namespace

std::string_view name_of(Metric metric) {
  for (const auto& [kind, name] : kNames) {
    if (kind == metric) return name;
  }
  return "";
}

std::optional<Metric> metric_named(std::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

}  // namespace tacit::gnn
