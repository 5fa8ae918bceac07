// SparsePosterior — the posterior through a few inducing points, which stand for the whole process (Titsias,
// Variational Learning of Inducing Variables in Sparse Gaussian Processes, 2009).
//
// The bound never exceeds the exact log-likelihood, and equals it if the points determine the process. n readings, m
// points: n m² multiply-adds, the slopes as much again; a matrix of m × n has 8 m n bytes.
#pragma once

#include "bench/baselines/exact_posterior.h"

namespace tacit::gnn {

class SparsePosterior {
 public:
  SparsePosterior(HyperParameters parameters, Points inducing, const Points& x, const Eigen::VectorXd& y);

  double bound() const { return bound_; }
  Likelihood likelihood() const;  // the bound's
  Marginals at(const Points& points) const;

 private:
  Eigen::MatrixXd rise_with_inducing() const;

  HyperParameters parameters_;
  Points inducing_;
  const Points& x_;  // the caller's
  Eigen::VectorXd y_;
  Eigen::LLT<Eigen::MatrixXd> prior_;  // K = L Lᵀ of the inducing points, with a little on its diagonal
  Eigen::MatrixXd across_;             // C: m × n, of inducing points and readings
  Eigen::MatrixXd whitened_;           // A = L⁻¹ C / noise
  Eigen::LLT<Eigen::MatrixXd> known_;  // B = I + A Aᵀ
  double explained_ = 0;               // tr A Aᵀ
  Eigen::VectorXd weights_;            // L⁻ᵀ B⁻¹ A y / noise
  double bound_ = 0;
};

}  // namespace tacit::gnn
