#include "bench/baselines/sparse_gaussian_process.h"

#include <fmt/format.h>

#include <optional>

#include "bench/baselines/inducing_points.h"
#include "bench/baselines/posterior_regression.h"
#include "bench/baselines/sparse_posterior.h"
#include "bench/baselines/stepwise_fit.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostInducing = 2000, kMostElements = std::int64_t{1} << 25;
constexpr int kChoices = 2;           // choices of inducing points: by the first fit, then by the next one
constexpr int kEvaluationsEach = 60;  // evaluations of the bound

void check(const SparseProcessOptions& options, const Standardised& data) {
  check_evaluations(options.evaluations);
  if (data.x.rows() == 0) throw ConfigError("Gaussian process: no features");
  const std::int64_t points = options.inducing_points, nodes = data.train_y.size();
  if (points < 1 || points > kMostInducing) {
    throw ConfigError(
        fmt::format("sparse Gaussian process: inducing points must be 1 ... {}, not {}", kMostInducing, points));
  }
  if (nodes > kMostElements / points) {
    throw ConfigError(fmt::format("sparse Gaussian process: {} inducing points for {} nodes to train on; at most {}",
                                  points, nodes, kMostElements / nodes));
  }
}

struct SparseFit {
  Maximum top;
  Points inducing;
};

SparseFit fit(const HyperParameterSpace& space, const Standardised& data, const Eigen::VectorXd& start,
              std::int64_t most_points, int evaluations) {
  const Rows rows = inducing_points(space.at(start).kernel, data.train_x, most_points);
  const Points inducing = data.train_x(Eigen::all, rows);
  SearchLimits limits;
  limits.evaluations = evaluations;
  const auto bound = [&](const Eigen::VectorXd& logs) {
    return space.evaluation(SparsePosterior(space.at(logs), inducing, data.train_x, data.train_y).likelihood());
  };
  return {maximise(bound, start, space.box(), limits), inducing};
}

SparseFit best_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_points) {
  Eigen::VectorXd start = first_fit(space, data, most_points);
  std::optional<SparseFit> best;
  for (int choice = 0; choice < kChoices; ++choice) {
    SparseFit found = fit(space, data, start, most_points, kEvaluationsEach);
    start = found.top.at;
    if (!best || found.top.value > best->top.value) best = std::move(found);
  }
  return std::move(*best);
}

}  // namespace

Regression sparse_gaussian_process(const RegressionData& data, const SparseProcessOptions& options) {
  const Standardised scaled = standardised(data);
  check(options, scaled);
  const HyperParameterSpace space(scaled.x.rows(), options.lengths);
  SparseFit best = options.evaluations > 0
                       ? fit(space, scaled, space.starts().front(), options.inducing_points, options.evaluations)
                       : best_fit(space, scaled, options.inducing_points);
  const HyperParameters parameters = space.at(best.top.at);
  const std::int64_t points = best.inducing.cols();
  const SparsePosterior posterior(parameters, std::move(best.inducing), scaled.train_x, scaled.train_y);
  return posterior_regression(posterior, scaled,
                              fmt::format("{}, {} inducing points", description(parameters, scaled.deviation), points));
}

}  // namespace tacit::gnn
