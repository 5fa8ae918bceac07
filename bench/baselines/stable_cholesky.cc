#include "bench/baselines/stable_cholesky.h"

#include "net/error.h"

namespace tacit::gnn {

Eigen::LLT<Eigen::MatrixXd> stable_cholesky(const Eigen::MatrixXd& covariance) {
  Eigen::LLT<Eigen::MatrixXd> factor(covariance);
  for (double part = 1e-12; factor.info() != Eigen::Success; part *= 10) {
    TACIT_CHECK(part < 1);  // then it is no covariance
    Eigen::MatrixXd lifted = covariance;
    lifted.diagonal().array() += part * covariance.diagonal().mean();
    factor.compute(lifted);
  }
  return factor;
}

double log_determinant(const Eigen::LLT<Eigen::MatrixXd>& factor) {
  return 2 * factor.matrixLLT().diagonal().array().log().sum();
}

}  // namespace tacit::gnn
