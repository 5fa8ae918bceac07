#include "bench/baselines/kernel.h"

#include <gtest/gtest.h>

#include "tests/bench/baselines/sample_regression.h"

namespace tacit::gnn {
namespace {

const Kernel& sample_kernel() {
  static const Kernel kernel{Eigen::Vector3d(0.7, 1.5, 4), 1.3};
  return kernel;
}

TEST(Kernel, EqualsItsFormula) {
  const Kernel& kernel = sample_kernel();
  const Points a = normal_features(3, 7, 1), b = normal_features(3, 4, 2);
  const Eigen::MatrixXd k = kernel.between(a, b);
  ASSERT_EQ(k.rows(), 7);
  ASSERT_EQ(k.cols(), 4);
  for (Eigen::Index i = 0; i < 7; ++i) {
    for (Eigen::Index j = 0; j < 4; ++j) {
      const double distance = (a.col(i) - b.col(j)).cwiseQuotient(kernel.lengths).squaredNorm();
      EXPECT_NEAR(k(i, j), 1.69 * std::exp(-0.5 * distance), 1e-12);
    }
  }
}

TEST(Kernel, AmongPointsIsSymmetricWithItsVarianceOnTheDiagonal) {
  const Eigen::MatrixXd k = sample_kernel().among(normal_features(3, 30, 3));
  EXPECT_EQ(k, k.transpose());
  EXPECT_TRUE((k.diagonal().array() == sample_kernel().variance()).all());
}

TEST(Kernel, SlopesAreTheDifferencesOfItsValues) {
  const Points a = normal_features(3, 6, 4), b = normal_features(3, 5, 5);
  const Eigen::MatrixXd rise = normal_features(6, 5, 6);
  const auto kernel_at = [](const Eigen::VectorXd& logs) {
    return Kernel{logs.head(3).array().exp(), std::exp(logs(3))};
  };
  const Eigen::VectorXd logs = uneven_logs(3).head(4);
  const auto value = [&](const Eigen::VectorXd& at) { return kernel_at(at).between(a, b).cwiseProduct(rise).sum(); };
  const KernelSlopes found = slopes(kernel_at(logs), a, b, kernel_at(logs).between(a, b), rise);
  const Eigen::VectorXd expected = measured_slope(value, logs);
  EXPECT_LT((found.lengths - expected.head(3)).norm(), 1e-7);
  EXPECT_NEAR(found.signal, expected(3), 1e-7);
}

}  // namespace
}  // namespace tacit::gnn
