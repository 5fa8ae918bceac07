#include "bench/baselines/kernel.h"

namespace tacit::gnn {

Eigen::MatrixXd Kernel::between(const Points& a, const Points& b) const {
  const Eigen::VectorXd inverse = lengths.cwiseInverse();
  const Points scaled_a = inverse.asDiagonal() * a, scaled_b = inverse.asDiagonal() * b;
  const Eigen::VectorXd halves_a = 0.5 * scaled_a.colwise().squaredNorm().transpose();
  const Eigen::RowVectorXd halves_b = 0.5 * scaled_b.colwise().squaredNorm();
  Eigen::MatrixXd k = scaled_a.transpose() * scaled_b;
  k.colwise() -= halves_a;
  k.rowwise() -= halves_b;
  k = variance() * k.array().min(0).exp();  // for equal points, rounding could leave more than 0
  return k;
}

Eigen::MatrixXd Kernel::among(const Points& points) const {
  Eigen::MatrixXd k = between(points, points);
  k.triangularView<Eigen::StrictlyUpper>() = k.transpose();
  k.diagonal().setConstant(variance());
  return k;
}

KernelSlopes& KernelSlopes::operator+=(const KernelSlopes& other) {
  lengths += other.lengths;
  signal += other.signal;
  return *this;
}

// ∂k_ij / ∂log length_d = k_ij (a_di - b_dj)² / length_d². The square, multiplied out, makes it products of matrices.
KernelSlopes slopes(const Kernel& kernel, const Points& a, const Points& b, const Eigen::MatrixXd& k,
                    const Eigen::MatrixXd& rise) {
  const Eigen::MatrixXd weight = k.cwiseProduct(rise);
  const Eigen::VectorXd of_a = weight.rowwise().sum(), of_b = weight.colwise().sum().transpose();
  const Eigen::VectorXd squares = a.cwiseAbs2() * of_a + b.cwiseAbs2() * of_b;
  const Eigen::VectorXd mixed = (a * weight).cwiseProduct(b).rowwise().sum();
  KernelSlopes result;
  result.lengths = (squares - 2 * mixed).cwiseQuotient(kernel.lengths.cwiseAbs2());
  result.signal = 2 * of_a.sum();
  return result;
}

}  // namespace tacit::gnn
