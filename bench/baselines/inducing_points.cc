#include "bench/baselines/inducing_points.h"

#include <algorithm>
#include <cmath>

namespace tacit::gnn {

namespace {

constexpr double kNothingNew = 1e-9;  // share of the kernel's variance: the other nodes determine a node's value

}  // namespace

Rows inducing_points(const Kernel& kernel, const Points& x, std::int64_t most) {
  const Eigen::Index limit = std::min<Eigen::Index>(most, x.cols());
  Eigen::MatrixXd factor(x.cols(), limit);
  Eigen::VectorXd unknown = Eigen::VectorXd::Constant(x.cols(), kernel.variance());
  Rows chosen;
  for (Eigen::Index count = 0; count < limit; ++count) {
    Eigen::Index pivot = 0;
    if (unknown.maxCoeff(&pivot) <= kNothingNew * kernel.variance()) break;
    Eigen::VectorXd column = kernel.between(x, x.col(pivot));
    column.noalias() -= factor.leftCols(count) * factor.row(pivot).head(count).transpose();
    column /= std::sqrt(unknown(pivot));
    unknown -= column.cwiseAbs2();
    unknown(pivot) = 0;
    factor.col(count) = column;
    chosen.push_back(pivot);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace tacit::gnn
