// The Cholesky factor of a covariance that is positive definite except for rounding.
#pragma once

#include <Eigen/Cholesky>

namespace tacit::gnn {

// If the factorisation fails, the diagonal grows by 1e-12 of its mean, then by ten times as much, until it succeeds.
Eigen::LLT<Eigen::MatrixXd> stable_cholesky(const Eigen::MatrixXd& covariance);

// log |L Lᵀ|
double log_determinant(const Eigen::LLT<Eigen::MatrixXd>& factor);

}  // namespace tacit::gnn
