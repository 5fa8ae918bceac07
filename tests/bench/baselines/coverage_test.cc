#include "bench/baselines/coverage.h"

#include <gmock/gmock.h>

#include "bench/baselines/exact_gaussian_process.h"
#include "bench/baselines/ridge_regression.h"
#include "bench/baselines/sparse_gaussian_process.h"
#include "tests/bench/baselines/sample_regression.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

TEST(Coverage, CountsTargetsWithinTwoDeviationsOrSo) {
  const Regression made{Matrix::Zero(4, 1), Matrix::Constant(4, 1, 9), ""};
  Matrix y(4, 1);
  y << 5.87, -5.87, 5.89, 100;  // 1.96 deviations of 3 are 5.88
  EXPECT_EQ(coverage(made, y, {0, 1, 2, 3}).covered, 0.5);
  EXPECT_EQ(coverage(made, y, {0, 1}).covered, 1);
  EXPECT_EQ(coverage(made, y, {3}).covered, 0);
  EXPECT_EQ(coverage(made, y, {0, 1, 2, 3}).deviation, 3);
}

// The standard deviation of the covered part of 600 nodes is 0.9 %.
TEST(Coverage, OfGaussianProcessesIsNear95PercentIfTheNoiseIsNormal) {
  const RegressionData data = regression_of(wavy_law, 3000, 2, 2);
  const Rows test = neither(data);
  const auto expect_right = [&](const Regression& made) {
    const Coverage found = coverage(made, data.y, test);
    EXPECT_NEAR(found.covered, 0.95, 0.03) << made.chosen;
    EXPECT_NEAR(found.deviation, rmse(made.predictions, data.y, test), 0.1 * found.deviation) << made.chosen;
  };
  expect_right(exact_gaussian_process(data, {.fitted_nodes = 256}));
  expect_right(sparse_gaussian_process(data, {.inducing_points = 60}));
}

TEST(Coverage, IsSmallIfVariancesAreTooSmall) {
  const RegressionData data = regression_of(wavy_law, 500, 2, 2);
  Regression made = exact_gaussian_process(data);
  made.variances /= 16;
  EXPECT_NEAR(coverage(made, data.y, neither(data)).covered, 0.376, 0.15) << "half a deviation, nearly";
}

TEST(Coverage, RefusesNoVariancesOrNoNodes) {
  const RegressionData data = regression_of(wavy_law, 50, 2, 1);
  const Regression ridge = ridge_regression(data);
  EXPECT_THAT(refusal([&] { coverage(ridge, data.y, {1}); }), HasSubstr("has no variances"));
  const Regression process = exact_gaussian_process(data);
  EXPECT_THAT(refusal([&] { coverage(process, data.y, {}); }), HasSubstr("no node to count"));
}

}  // namespace
}  // namespace tacit::gnn
