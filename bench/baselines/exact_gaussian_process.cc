#include "bench/baselines/exact_gaussian_process.h"

#include <fmt/format.h>

#include "bench/baselines/posterior_regression.h"
#include "bench/baselines/stepwise_fit.h"
#include "net/error.h"

namespace tacit::gnn {

Regression exact_gaussian_process(const RegressionData& data, const ExactProcessOptions& options) {
  const Standardised scaled = standardised(data);
  const std::int64_t nodes = scaled.train_y.size();
  if (scaled.x.rows() == 0) throw ConfigError("Gaussian process: no features");
  if (nodes > kMostExactNodes) {
    throw ConfigError(fmt::format("exact Gaussian process: {} training nodes, at most {}; a sparse process takes more",
                                  nodes, kMostExactNodes));
  }
  if (options.fitted_nodes < 1) {
    throw ConfigError(
        fmt::format("exact Gaussian process: fitted_nodes must be at least 1, not {}", options.fitted_nodes));
  }
  check_evaluations(options.evaluations);
  const HyperParameterSpace space(scaled.x.rows(), options.lengths);
  const Eigen::VectorXd logs = options.evaluations > 0
                                   ? short_fit(space, scaled, options.fitted_nodes, options.evaluations)
                                   : exact_fit(space, scaled, options.fitted_nodes);
  const HyperParameters parameters = space.at(logs);
  const ExactPosterior posterior(parameters, scaled.train_x, scaled.train_y);
  return posterior_regression(posterior, scaled, description(parameters, scaled.deviation));
}

}  // namespace tacit::gnn
