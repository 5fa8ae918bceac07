#include "bench/baselines/mean_predictor.h"

#include <fmt/format.h>

#include <Eigen/Core>

namespace tacit::gnn {

Regression mean_predictor(const RegressionData& data) {
  check(data);
  const Eigen::VectorXd targets = values_at(data.y, data.train);
  const double mean = targets.mean(), variance = (targets.array() - mean).square().mean();
  return {Matrix::Constant(data.y.rows(), 1, mean), Matrix::Constant(data.y.rows(), 1, variance),
          fmt::format("mean {:.4g} of {} nodes", mean, data.train.size())};
}

}  // namespace tacit::gnn
