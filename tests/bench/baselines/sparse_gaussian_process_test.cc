#include "bench/baselines/sparse_gaussian_process.h"

#include <gmock/gmock.h>

#include <chrono>

#include "bench/baselines/exact_gaussian_process.h"
#include "bench/baselines/inducing_points.h"
#include "bench/baselines/ridge_regression.h"
#include "bench/baselines/sparse_posterior.h"
#include "tests/bench/baselines/sample_regression.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

struct Readings {
  Points x = normal_features(3, 60, 1);
  Eigen::VectorXd y = normal_features(60, 1, 2);
};

TEST(SparsePosterior, WithAllPointsEqualsTheExactOne) {
  const HyperParameters parameters = HyperParameterSpace(3, LengthScales::kPerFeature).at(uneven_logs(3));
  const Readings readings;
  const SparsePosterior sparse(parameters, readings.x, readings.x, readings.y);
  const ExactPosterior exact(parameters, readings.x, readings.y);
  EXPECT_NEAR(sparse.bound(), exact.log_likelihood(), 1e-4);
  const Points others = normal_features(3, 20, 3);
  const Marginals found = sparse.at(others), expected = exact.at(others);
  EXPECT_LT((found.means - expected.means).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((found.variances - expected.variances).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(SparsePosterior, BoundIsNeverAboveTheExactLikelihoodAndRisesWithPoints) {
  const HyperParameterSpace space(3, LengthScales::kPerFeature);
  const Readings readings;
  RandomSource random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::VectorXd logs = Eigen::VectorXd(5).unaryExpr([&](double) { return random.uniform(-2, 1.5); });
    const HyperParameters parameters = space.at(logs);
    const double exact = ExactPosterior(parameters, readings.x, readings.y).log_likelihood();
    double last = -std::numeric_limits<double>::infinity();
    for (const std::int64_t points : {1, 5, 20, 60}) {
      const SparsePosterior sparse(parameters, readings.x.leftCols(points), readings.x, readings.y);
      EXPECT_LE(sparse.bound(), exact + 1e-9 * std::abs(exact));
      EXPECT_GE(sparse.bound(), last - 1e-3 * std::abs(last));
      last = sparse.bound();
    }
  }
}

TEST(SparsePosterior, SlopesAreTheDifferencesOfTheBound) {
  for (const LengthScales lengths : {LengthScales::kPerFeature, LengthScales::kInCommon}) {
    const HyperParameterSpace space(3, lengths);
    const Readings readings;
    const Points inducing = readings.x.leftCols(9);
    const Eigen::VectorXd logs = uneven_logs(lengths == LengthScales::kPerFeature ? 3 : 1);
    const auto posterior = [&](const Eigen::VectorXd& at) {
      return SparsePosterior(space.at(at), inducing, readings.x, readings.y);
    };
    const auto value = [&](const Eigen::VectorXd& at) { return posterior(at).bound(); };
    const Evaluation found = space.evaluation(posterior(logs).likelihood());
    EXPECT_EQ(found.value, value(logs));
    EXPECT_GT(found.slope.cwiseAbs().minCoeff(), 0.01);
    EXPECT_LT((found.slope - measured_slope(value, logs)).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST(InducingPoints, LeaveNoNodeAsUnsaidAsTheFirstNodesDo) {
  const Kernel kernel = HyperParameterSpace(3, LengthScales::kPerFeature).at(uneven_logs(3)).kernel;
  const Points x = normal_features(3, 300, 5);
  const auto most_unsaid = [&](const Rows& rows) {
    const Points chosen = x(Eigen::all, rows);
    const Eigen::MatrixXd k = kernel.between(chosen, x);
    const Eigen::MatrixXd said = stable_cholesky(kernel.among(chosen)).matrixL().solve(k);
    return kernel.variance() - said.colwise().squaredNorm().minCoeff();
  };
  const Rows found = inducing_points(kernel, x, 30);
  ASSERT_EQ(std::ssize(found), 30);
  EXPECT_LT(most_unsaid(found), 0.3 * most_unsaid(all_rows(30)));
}

TEST(InducingPoints, NeverTakeEqualNodesTwice) {
  Points x = normal_features(2, 40, 6);
  x.rightCols(20) = x.leftCols(20);
  const Rows found = inducing_points({Eigen::Vector2d(0.3, 0.3), 1}, x, 40);
  EXPECT_EQ(found, all_rows(20));
}

TEST(SparseGaussianProcess, ComesNearTheExactOneAndBeatsRidge) {
  const RegressionData data = regression_of(wavy_law, 600, 2, 1);
  const double exact = rmse(exact_gaussian_process(data).predictions, data.y, neither(data));
  const double sparse = rmse(sparse_gaussian_process(data, {.inducing_points = 40}).predictions, data.y, neither(data));
  const double ridge = rmse(ridge_regression(data).predictions, data.y, neither(data));
  EXPECT_LT(sparse, 1.1 * exact);
  EXPECT_LT(sparse, 0.3 * ridge);
}

TEST(SparseGaussianProcess, ErrsLessWithMoreEvaluationsOfTheBound) {
  const RegressionData data = regression_of(wavy_law, 300, 3, 1);
  const auto error = [&](int evaluations) {
    const SparseProcessOptions options{.inducing_points = 40, .evaluations = evaluations};
    return rmse(sparse_gaussian_process(data, options).predictions, data.y, neither(data));
  };
  EXPECT_GT(error(1), 1.1 * error(100));
  EXPECT_THAT(refusal([&] { error(-1); }), HasSubstr("evaluations must be 0 or more, not -1"));
}

TEST(SparseGaussianProcess, LearnsFromTwentyThousandNodes) {
  const RegressionData data = regression_of(wavy_law, 20'000, 8, 2);
  const auto before = std::chrono::steady_clock::now();
  const Regression found = sparse_gaussian_process(data);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  const double error = rmse(found.predictions, data.y, neither(data));
  std::printf("20,000 nodes: %.1f s, test RMSE %.3f, %s\n", seconds, error, found.chosen.c_str());
  EXPECT_LT(error, 2.3) << "its noise is 2";
}

TEST(SparseGaussianProcess, RefusesMatricesBeyondMemory) {
  const std::int64_t nodes = 100'000;
  const RegressionData data{Matrix::Zero(nodes, 1), Matrix::Zero(nodes, 1), all_rows(nodes), {}};
  const auto said = [&](std::int64_t points) {
    return refusal([&] { sparse_gaussian_process(data, {.inducing_points = points}); });
  };
  EXPECT_THAT(said(0), HasSubstr("inducing points must be 1 ... 2000, not 0"));
  EXPECT_THAT(said(2001), HasSubstr("inducing points must be 1 ... 2000, not 2001"));
  EXPECT_THAT(said(1000), HasSubstr("1000 inducing points for 100000 nodes to train on; at most 335"));
}

}  // namespace
}  // namespace tacit::gnn
