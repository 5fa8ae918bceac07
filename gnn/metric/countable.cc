#include "gnn/metric/countable.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostCounted = 1 << 19;  // nodes: the doubled count of f1 is at most 2^20 (quotients.h)

bool is_counted(const Revealed& what) {
  const bool ratio = what.metric == Metric::kR2 || what.metric == Metric::kExplainedVariance;
  return (is_class_rate(what.metric) && what.average != Average::kMicro) || is_ranking(what.metric) || ratio;
}

}  // namespace

void expect_countable(const Revealed& what, std::int64_t nodes) {
  if (nodes == 0) {
    throw ConfigError(
        fmt::format("the {} is to be revealed, but the data name no {} nodes; take its [[reveal.metric]] out, or say "
                    "reveal.metric = [] if the job names none",
                    name_of(what), name_of(what.part)));
  }
  if (is_counted(what) && nodes > kMostCounted) {
    throw ConfigError(
        fmt::format("the {} counts at most {} nodes, and the part has {}; take it out, or a metric of sums such as "
                    "accuracy, loss or rmse",
                    name_of(what), kMostCounted, nodes));
  }
  if (!is_ranking(what.metric)) return;
  if (what.bins == 0 && nodes > kMostExactlyRanked) {
    throw ConfigError(
        fmt::format("the {} compares every two of at most {} nodes, and the part has {}; say bins = 64 in its "
                    "[[reveal.metric]], for example",
                    name_of(what), kMostExactlyRanked, nodes));
  }
  if (what.bins > nodes) {
    throw ConfigError(
        fmt::format("the {} has more bins than nodes: the part has {}; take bins out", name_of(what), nodes));
  }
}

}  // namespace tacit::gnn
