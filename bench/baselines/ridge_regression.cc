#include "bench/baselines/ridge_regression.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "bench/baselines/standardised.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// One decomposition serves all penalties: w = V (Λ + penalty)⁻¹ Vᵀ X y / n, where X Xᵀ / n = V Λ Vᵀ.
class RidgeLaws {
 public:
  explicit RidgeLaws(const Standardised& data) {
    const double nodes = static_cast<double>(data.train_y.size());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(data.train_x * data.train_x.transpose() / nodes);
    TACIT_CHECK(solver.info() == Eigen::Success);
    vectors_ = solver.eigenvectors();
    values_ = solver.eigenvalues().cwiseMax(0);
    target_ = vectors_.transpose() * (data.train_x * data.train_y) / nodes;
  }

  Eigen::VectorXd with(double penalty) const {
    return vectors_ * (target_.array() / (values_.array() + penalty)).matrix();
  }

 private:
  Eigen::MatrixXd vectors_;
  Eigen::VectorXd values_, target_;
};

void check_penalties(const RegressionData& data, const std::vector<double>& penalties) {
  if (data.validation.empty()) throw ConfigError("ridge: there are no validation nodes to pick the penalty by");
  if (penalties.empty()) throw ConfigError("ridge: no penalty to pick from");
  for (const double penalty : penalties) {
    if (penalty > 0 && std::isfinite(penalty)) continue;
    throw ConfigError(fmt::format("ridge: a penalty must be above 0 and finite, not {}", penalty));
  }
}

}  // namespace

std::vector<double> penalty_grid() {
  std::vector<double> penalties;
  for (int half_decades = 6; half_decades >= -8; --half_decades) penalties.push_back(std::pow(10, 0.5 * half_decades));
  return penalties;
}

Regression ridge_regression(const RegressionData& data, const std::vector<double>& penalties) {
  const Standardised scaled = standardised(data);
  if (scaled.x.rows() == 0) throw ConfigError("ridge: no features");
  check_penalties(data, penalties);
  const RidgeLaws laws(scaled);
  const Eigen::VectorXd truth = values_at(data.y, data.validation);
  double least = std::numeric_limits<double>::infinity();
  Regression best;
  for (const double penalty : penalties) {
    Matrix predictions = scaled.in_unit(scaled.x.transpose() * laws.with(penalty));
    const double error = (values_at(predictions, data.validation) - truth).squaredNorm();
    if (!(error < least)) continue;
    least = error;
    best = {std::move(predictions), Matrix(), fmt::format("penalty {:.3g}", penalty)};
  }
  return best;
}

}  // namespace tacit::gnn
