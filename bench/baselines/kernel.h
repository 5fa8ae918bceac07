// Kernel — how alike two nodes are expected to be: k(a, b) = signal² · exp(-½ Σ_d (a_d - b_d)² / length_d²).
#pragma once

#include "bench/baselines/standardised.h"

namespace tacit::gnn {

struct Kernel {
  Eigen::VectorXd lengths;  // one for each feature
  double signal = 1;        // a standard deviation

  double variance() const { return signal * signal; }
  Eigen::MatrixXd between(const Points& a, const Points& b) const;
  Eigen::MatrixXd among(const Points& points) const;  // symmetric, its diagonal exactly variance()
};

// The gradient of a value by the logarithms of a kernel's parameters.
struct KernelSlopes {
  Eigen::VectorXd lengths;
  double signal = 0;

  KernelSlopes& operator+=(const KernelSlopes& other);
};

// The gradient from `rise`, the gradient by each element of k = kernel.between(a, b).
KernelSlopes slopes(const Kernel& kernel, const Points& a, const Points& b, const Eigen::MatrixXd& k,
                    const Eigen::MatrixXd& rise);

}  // namespace tacit::gnn
