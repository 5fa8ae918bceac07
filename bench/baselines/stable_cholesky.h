// The Cholesky factor of a covariance that is positive definite but for rounding.
#pragma once

#include <Eigen/Cholesky>

namespace tacit::gnn {

// Where the factorisation fails, as much as it needs is added to the diagonal: 1e-12 of its mean, or ten times as much,
// …
Eigen::LLT<Eigen::MatrixXd> stable_cholesky(const Eigen::MatrixXd& covariance);

// log |L Lᵀ|
double log_determinant(const Eigen::LLT<Eigen::MatrixXd>& factor);

}  // namespace tacit::gnn
