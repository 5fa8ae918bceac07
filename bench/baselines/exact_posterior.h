// ExactPosterior — predicts a Gaussian process at all points from its readings at some (Rasmussen and Williams,
// Gaussian Processes for Machine Learning, algorithm 2.1 and equation 5.9).
//
// n readings cost n³/3 multiply-adds, the slopes n³ more; each n × n matrix 8 n² bytes.
#pragma once

#include "bench/baselines/hyper_parameters.h"
#include "bench/baselines/stable_cholesky.h"

namespace tacit::gnn {

// The distribution of readings at some points, including their noise.
struct Marginals {
  Eigen::VectorXd means, variances;
};

class ExactPosterior {
 public:
  ExactPosterior(HyperParameters parameters, Points x, const Eigen::VectorXd& y);

  double log_likelihood() const { return log_likelihood_; }
  Likelihood likelihood() const;
  Marginals at(const Points& points) const;

 private:
  HyperParameters parameters_;
  Points x_;
  Eigen::LLT<Eigen::MatrixXd> factor_;  // Cholesky factor of K + noise² I
  Eigen::VectorXd weights_;             // (K + noise² I)⁻¹ y
  double log_likelihood_ = 0;
};

}  // namespace tacit::gnn
