#include "bench/baselines/coverage.h"

#include <cmath>

#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr double kWithin = 1.959964;  // deviations; a normal variable is within with probability 0.95

}  // namespace

Coverage coverage(const Regression& made, const Matrix& y, const Rows& rows) {
  if (rows.empty()) throw ConfigError("coverage: no node to count");
  if (made.variances.size() == 0) throw ConfigError("coverage: the method has no variances");
  const Eigen::ArrayXd errors = values_at(made.predictions - y, rows).array();
  const Eigen::ArrayXd variances = values_at(made.variances, rows).array();
  return {(errors.abs() <= kWithin * variances.sqrt()).cast<double>().mean(), std::sqrt(variances.mean())};
}

}  // namespace tacit::gnn
