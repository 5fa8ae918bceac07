#include "bench/baselines/stepwise_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/baselines/exact_posterior.h"
#include "bench/data/random_source.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kFirstNodes = 256;

Maximum fit(const HyperParameterSpace& space, const Standardised& data, const Rows& rows, const Eigen::VectorXd& start,
            int evaluations) {
  const Points x = data.train_x(Eigen::all, rows);
  const Eigen::VectorXd y = data.train_y(rows);
  SearchLimits limits;
  limits.evaluations = evaluations;
  return maximise(
      [&](const Eigen::VectorXd& logs) { return space.evaluation(ExactPosterior(space.at(logs), x, y).likelihood()); },
      start, space.box(), limits);
}

}  // namespace

Rows drawn(std::int64_t most, std::int64_t nodes) {
  Rows rows = all_rows(nodes);
  if (nodes <= most) return rows;
  RandomSource(1).shuffle(rows);
  rows.resize(static_cast<std::size_t>(most));
  std::sort(rows.begin(), rows.end());
  return rows;
}

Eigen::VectorXd first_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes) {
  const Rows rows = drawn(std::min(kFirstNodes, most_nodes), data.train_y.size());
  std::optional<Maximum> best;
  for (const Eigen::VectorXd& start : space.starts()) {
    Maximum found = fit(space, data, rows, start, 100);
    if (!best || found.value > best->value) best = std::move(found);
  }
  return best->at;
}

void check_evaluations(int evaluations) {
  if (evaluations >= 0) return;
  throw ConfigError(fmt::format("Gaussian process: evaluations must be 0 or more, not {}", evaluations));
}

Eigen::VectorXd short_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes,
                          int evaluations) {
  return fit(space, data, drawn(most_nodes, data.train_y.size()), space.starts().front(), evaluations).at;
}

Eigen::VectorXd exact_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes) {
  Eigen::VectorXd first = first_fit(space, data, kFirstNodes);
  if (most_nodes <= kFirstNodes || data.train_y.size() <= kFirstNodes) return first;
  return fit(space, data, drawn(most_nodes, data.train_y.size()), first, 40).at;
}

}  // namespace tacit::gnn
