#include "bench/baselines/exact_posterior.h"

#include <cmath>
#include <numbers>

namespace tacit::gnn {

ExactPosterior::ExactPosterior(HyperParameters parameters, Points x, const Eigen::VectorXd& y)
    : parameters_(std::move(parameters)), x_(std::move(x)) {
  Eigen::MatrixXd covariance = parameters_.kernel.among(x_);
  covariance.diagonal().array() += parameters_.noise * parameters_.noise;
  factor_ = stable_cholesky(covariance);
  weights_ = factor_.solve(y);
  const double nodes = static_cast<double>(y.size());
  log_likelihood_ = -0.5 * (y.dot(weights_) + log_determinant(factor_) + nodes * std::log(2 * std::numbers::pi));
}

// The gradient by the covariance is ½ (w wᵀ - (K + noise² I)⁻¹).
Likelihood ExactPosterior::likelihood() const {
  const Eigen::Index nodes = x_.cols();
  Eigen::MatrixXd rise = factor_.solve(-0.5 * Eigen::MatrixXd::Identity(nodes, nodes));
  rise.noalias() += 0.5 * weights_ * weights_.transpose();
  const Kernel& kernel = parameters_.kernel;
  return {log_likelihood_, slopes(kernel, x_, x_, kernel.among(x_), rise),
          2 * parameters_.noise * parameters_.noise * rise.trace()};
}

Marginals ExactPosterior::at(const Points& points) const {
  const Eigen::MatrixXd k = parameters_.kernel.between(x_, points);
  Marginals result;
  result.means = k.transpose() * weights_;
  const Eigen::VectorXd known = factor_.matrixL().solve(k).colwise().squaredNorm().transpose();
  result.variances = (parameters_.kernel.variance() - known.array()).max(0) + parameters_.noise * parameters_.noise;
  return result;
}

}  // namespace tacit::gnn
