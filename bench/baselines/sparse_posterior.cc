#include "bench/baselines/sparse_posterior.h"

#include <cmath>
#include <numbers>

namespace tacit::gnn {

namespace {

constexpr double kJitter = 1e-8;  // share of the kernel's variance; separates points that rounding cannot tell apart

double square(double x) { return x * x; }

}  // namespace

SparsePosterior::SparsePosterior(HyperParameters parameters, Points inducing, const Points& x, const Eigen::VectorXd& y)
    : parameters_(std::move(parameters)), inducing_(std::move(inducing)), x_(x), y_(y) {
  const Kernel& kernel = parameters_.kernel;
  const double precision = 1 / square(parameters_.noise), nodes = static_cast<double>(y.size());
  const Eigen::Index m = inducing_.cols();
  Eigen::MatrixXd among = kernel.among(inducing_);
  among.diagonal().array() += kJitter * kernel.variance();
  prior_ = stable_cholesky(among);
  across_ = kernel.between(inducing_, x_);
  whitened_ = prior_.matrixL().solve(across_) / parameters_.noise;
  Eigen::MatrixXd known = Eigen::MatrixXd::Identity(m, m);
  known.selfadjointView<Eigen::Lower>().rankUpdate(whitened_);
  explained_ = known.diagonal().sum() - static_cast<double>(m);
  known_ = stable_cholesky(known);
  const Eigen::VectorXd seen = whitened_ * y / parameters_.noise;
  weights_ = prior_.matrixU().solve(known_.solve(seen));
  bound_ = -0.5 *
           (nodes * std::log(2 * std::numbers::pi / precision) + log_determinant(known_) + precision * y.squaredNorm() -
            seen.dot(known_.solve(seen)) + precision * nodes * kernel.variance() - explained_);
}

// L⁻ᵀ (I - ½ B⁻¹ - ½ B) L⁻¹ - ½ w wᵀ
Eigen::MatrixXd SparsePosterior::rise_with_inducing() const {
  const Eigen::Index m = inducing_.cols();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(m, m);
  const Eigen::MatrixXd inner = identity - 0.5 * known_.solve(identity) - 0.5 * known_.reconstructedMatrix();
  const Eigen::MatrixXd half = prior_.matrixU().solve(inner);  // L⁻ᵀ inner
  return prior_.matrixU().solve(half.transpose()) - 0.5 * weights_ * weights_.transpose();
}

// The gradient of the bound by C is precision · (w (y - Cᵀw)ᵀ + noise L⁻ᵀ (I - B⁻¹) A). The kernel's variance is in the
// jitter and on the diagonal of all readings' covariance.
Likelihood SparsePosterior::likelihood() const {
  const Kernel& kernel = parameters_.kernel;
  const double noise = parameters_.noise, precision = 1 / square(noise), nodes = static_cast<double>(y_.size());
  const Eigen::Index m = inducing_.cols();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(m, m), remaining = known_.solve(identity);
  const Eigen::VectorXd residual = y_ - across_.transpose() * weights_;

  const Eigen::MatrixXd left = prior_.matrixU().solve((identity - remaining) / noise);
  Eigen::MatrixXd rise = left * whitened_;
  rise.noalias() += precision * weights_ * residual.transpose();
  const Eigen::MatrixXd own_rise = rise_with_inducing();

  Likelihood result{bound_, slopes(kernel, inducing_, x_, across_, rise), 0};
  result.kernel += slopes(kernel, inducing_, inducing_, kernel.among(inducing_), own_rise);
  const double missed = precision * nodes * kernel.variance() - explained_;  // tr(K - Q) / noise²
  result.kernel.signal += 2 * kJitter * kernel.variance() * own_rise.trace() - precision * nodes * kernel.variance();
  result.noise = -nodes + (static_cast<double>(m) - remaining.trace()) + precision * residual.squaredNorm() + missed;
  return result;
}

Marginals SparsePosterior::at(const Points& points) const {
  const Eigen::MatrixXd k = parameters_.kernel.between(inducing_, points);
  const Eigen::MatrixXd prior = prior_.matrixL().solve(k), posterior = known_.matrixL().solve(prior);
  Marginals result;
  result.means = k.transpose() * weights_;
  const Eigen::VectorXd known = (prior.colwise().squaredNorm() - posterior.colwise().squaredNorm()).transpose();
  result.variances = (parameters_.kernel.variance() - known.array()).max(0) + square(parameters_.noise);
  return result;
}

}  // namespace tacit::gnn
