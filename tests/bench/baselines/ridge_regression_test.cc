#include "bench/baselines/ridge_regression.h"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <limits>

#include "bench/baselines/mean_predictor.h"
#include "tests/bench/baselines/sample_regression.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

// The last feature carries no information.
double linear_law(const Eigen::RowVectorXd& x) { return 40 + 3 * x(0) - 2 * x(1) + 0.5 * x(2); }

// With standardised columns and a column of ones; the coefficient of the ones is not penalised.
Matrix by_normal_equations(const RegressionData& data, double penalty) {
  Eigen::MatrixXd all(data.x.rows(), data.x.cols() + 1);
  const Eigen::MatrixXd train = data.x(data.train, Eigen::all);
  const double nodes = static_cast<double>(train.rows());
  const Eigen::VectorXd truth = values_at(data.y, data.train);
  for (Eigen::Index col = 0; col < train.cols(); ++col) {
    const double mean = train.col(col).mean();
    all.col(col) = (data.x.col(col).array() - mean) / std::sqrt((train.col(col).array() - mean).square().mean());
  }
  all.rightCols(1).setOnes();
  const Eigen::MatrixXd own = all(data.train, Eigen::all);
  Eigen::MatrixXd gram = own.transpose() * own;
  gram.diagonal().head(train.cols()).array() += nodes * penalty;
  return all * gram.partialPivLu().solve(own.transpose() * truth);
}

TEST(RidgeRegression, SolvesTheNormalEquations) {
  const RegressionData data = regression_of(linear_law, 60, 4, 1);
  for (const double penalty : {1e-4, 0.1, 10.0}) {
    const Matrix expected = by_normal_equations(data, penalty);
    EXPECT_LT((ridge_regression(data, {penalty}).predictions - expected).cwiseAbs().maxCoeff(), 1e-9) << penalty;
  }
}

TEST(RidgeRegression, RecoversALinearLawAndLeavesTheColumnThatSaysNothing) {
  const RegressionData data = regression_of(linear_law, 2000, 4, 0.5);
  RegressionData shuffled = data;
  shuffled.x.col(3) = data.x.col(3).reverse().eval();
  const Matrix predictions = ridge_regression(data).predictions;
  EXPECT_NEAR(rmse(predictions, data.y, neither(data)), 0.5, 0.05);
  EXPECT_LT(rmse(predictions, ridge_regression(shuffled).predictions, neither(data)), 0.05);
  shuffled.x.col(0) = data.x.col(0).reverse().eval();
  EXPECT_GT(rmse(predictions, ridge_regression(shuffled).predictions, neither(data)), 1);
}

TEST(RidgeRegression, ThePenaltyIsTheOneThatErrsLeastOnValidationNodes) {
  const RegressionData data = regression_of(linear_law, 60, 30, 6);
  double least = std::numeric_limits<double>::infinity(), best = 0;
  for (const double penalty : penalty_grid()) {
    const double error = rmse(ridge_regression(data, {penalty}).predictions, data.y, data.validation);
    if (error < least) least = error, best = penalty;
  }
  EXPECT_GT(best, penalty_grid().back()) << "36 nodes, 30 features: hardly any penalty fits the noise";
  EXPECT_LT(best, penalty_grid().front());
  const Regression found = ridge_regression(data);
  EXPECT_EQ(rmse(found.predictions, data.y, data.validation), least);
  EXPECT_EQ(found.chosen, ridge_regression(data, {best}).chosen);
}

TEST(RidgeRegression, AnEndlessPenaltyLeavesTheMean) {
  const RegressionData data = regression_of(linear_law, 60, 4, 1);
  const Matrix far = ridge_regression(data, {1e12}).predictions;
  EXPECT_LT((far - mean_predictor(data).predictions).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(RidgeRegression, NeedsValidationNodesAndPenalties) {
  RegressionData data = regression_of(linear_law, 20, 4, 1);
  EXPECT_THAT(refusal([&] { ridge_regression(data, {}); }), HasSubstr("no penalty to pick from"));
  EXPECT_THAT(refusal([&] { ridge_regression(data, {1, 0}); }), HasSubstr("above 0 and finite, not 0"));
  data.validation.clear();
  EXPECT_THAT(refusal([&] { ridge_regression(data); }), HasSubstr("no validation nodes to pick the penalty by"));
}

}  // namespace
}  // namespace tacit::gnn
