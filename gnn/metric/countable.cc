#include "gnn/metric/countable.h"

#include <fmt/format.h>

#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostCounted = 1 << 19;  // nodes: the doubled count of f1 is at most 2^20 (quotients.h)

// The most nodes of r2 and explained variance. With more, targets have so few bits in a sum that rounding counts as variance.
constexpr std::int64_t kMostExplained = 1 << 15;

// The most nodes of a metric that divides by a count or a variance; 0: any number.
std::int64_t most_nodes(const Revealed& what) {
  if (what.metric == Metric::kR2 || what.metric == Metric::kExplainedVariance) return kMostExplained;
  const bool counted = (is_class_rate(what.metric) && what.average != Average::kMicro) || is_ranking(what.metric);
  return counted ? kMostCounted : 0;
}

}  // namespace

void expect_countable(const Revealed& what, std::int64_t nodes, std::string_view subject) {
  if (nodes == 0 && subject == "pair") {
    throw ConfigError(
        fmt::format("the {} is to be revealed, and no link is kept for {}; state a larger data.links.{}, or take "
                    "its [[reveal.metric]] out",
                    name_of(what), name_of(what.part), name_of(what.part)));
  }
  if (nodes == 0) {
    throw ConfigError(
        fmt::format("the {} is to be revealed, but the data name no {} {}s; take its [[reveal.metric]] out, or say "
                    "reveal.metric = [] if the job names none",
                    name_of(what), name_of(what.part), subject));
  }
  const std::int64_t most = most_nodes(what);
  if (most > 0 && nodes > most) {
    throw ConfigError(
        fmt::format("the {} counts at most {} {}s, and the part has {}; take it out, or a metric of sums such as "
                    "accuracy, loss or rmse",
                    name_of(what), most, subject, nodes));
  }
  if (!is_ranking(what.metric)) return;
  if (what.bins == 0 && nodes > kMostExactlyRanked) {
    throw ConfigError(
        fmt::format("the {} compares every two of at most {} {}s, and the part has {}; say bins = 64 in its "
                    "[[reveal.metric]], for example",
                    name_of(what), kMostExactlyRanked, subject, nodes));
  }
  if (what.bins > nodes) {
    throw ConfigError(
        fmt::format("the {} has more bins than {}s: the part has {}; take bins out", name_of(what), subject, nodes));
  }
}

}  // namespace tacit::gnn
