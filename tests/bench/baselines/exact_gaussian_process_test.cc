#include "bench/baselines/exact_gaussian_process.h"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <numbers>

#include "bench/baselines/exact_posterior.h"
#include "bench/baselines/ridge_regression.h"
#include "tests/bench/baselines/sample_regression.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

TEST(ExactPosterior, LogLikelihoodEqualsTheNormalDensity) {
  const HyperParameters parameters = HyperParameterSpace(2, LengthScales::kPerFeature).at(uneven_logs(2));
  const Points x = normal_features(2, 5, 1);
  const Eigen::VectorXd y = normal_features(5, 1, 2);
  Eigen::MatrixXd covariance = parameters.kernel.between(x, x);
  covariance += parameters.noise * parameters.noise * Eigen::MatrixXd::Identity(5, 5);
  const double exponent = -0.5 * y.dot(covariance.inverse() * y);
  const double density = std::exp(exponent) / std::sqrt(std::pow(2 * std::numbers::pi, 5) * covariance.determinant());
  EXPECT_NEAR(ExactPosterior(parameters, x, y).log_likelihood(), std::log(density), 1e-10);
}

TEST(ExactPosterior, SlopesAreTheDifferencesOfTheLikelihood) {
  for (const LengthScales lengths : {LengthScales::kPerFeature, LengthScales::kInCommon}) {
    const HyperParameterSpace space(3, lengths);
    const Points x = normal_features(3, 25, 3);
    const Eigen::VectorXd y = normal_features(25, 1, 4);
    const Eigen::VectorXd logs = uneven_logs(lengths == LengthScales::kPerFeature ? 3 : 1);
    const auto value = [&](const Eigen::VectorXd& at) { return ExactPosterior(space.at(at), x, y).log_likelihood(); };
    const Evaluation found = space.evaluation(ExactPosterior(space.at(logs), x, y).likelihood());
    EXPECT_EQ(found.value, value(logs));
    EXPECT_GT(found.slope.cwiseAbs().minCoeff(), 0.01);
    EXPECT_LT((found.slope - measured_slope(value, logs)).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(ExactPosterior, VariancesFollowTheJointNormalDistribution) {
  const HyperParameters parameters = HyperParameterSpace(2, LengthScales::kPerFeature).at(uneven_logs(2));
  const Points x = normal_features(2, 8, 5), others = normal_features(2, 4, 6);
  const Eigen::VectorXd y = normal_features(8, 1, 7);
  Eigen::MatrixXd covariance = parameters.kernel.between(x, x);
  const double noise = parameters.noise * parameters.noise;
  covariance += noise * Eigen::MatrixXd::Identity(8, 8);
  const Eigen::MatrixXd k = parameters.kernel.between(x, others);
  const Marginals found = ExactPosterior(parameters, x, y).at(others);
  const Eigen::VectorXd known = (k.transpose() * covariance.inverse() * k).diagonal();
  EXPECT_LT((found.means - k.transpose() * covariance.inverse() * y).norm(), 1e-10);
  EXPECT_LT((found.variances.array() - (parameters.kernel.variance() + noise - known.array())).matrix().norm(), 1e-10);
}

TEST(ExactGaussianProcess, InterpolatesReadingsWithoutNoise) {
  const RegressionData data = regression_of(wavy_law, 200, 2, 0);
  const Regression found = exact_gaussian_process(data);
  EXPECT_LT(rmse(found.predictions, data.y, data.train), 0.01);
  EXPECT_LT(rmse(found.predictions, data.y, neither(data)), 0.3) << found.chosen;
}

TEST(ExactGaussianProcess, BeatsRidgeOnALawThatBends) {
  const RegressionData data = regression_of(wavy_law, 300, 3, 1);
  const double ridge = rmse(ridge_regression(data).predictions, data.y, neither(data));
  const double process = rmse(exact_gaussian_process(data).predictions, data.y, neither(data));
  EXPECT_LT(process, 0.3 * ridge);
  EXPECT_LT(process, 2) << "its noise is 1";
}

TEST(ExactGaussianProcess, FindsTheNoise) {
  const RegressionData data = regression_of(wavy_law, 500, 2, 2);
  const Regression found = exact_gaussian_process(data);
  const Eigen::VectorXd errors = values_at(found.predictions - data.y, neither(data));
  const Eigen::VectorXd deviations = values_at(found.variances, neither(data)).cwiseSqrt();
  // A normal distribution has 68 ± 5 of 100 errors within one deviation.
  const auto within = (errors.cwiseAbs().array() < deviations.array()).count();
  EXPECT_GT(within, 54);
  EXPECT_LT(within, 82);
  EXPECT_GT(deviations.minCoeff(), 1.6);
  EXPECT_GT(found.variances.maxCoeff(), 1.2 * found.variances.minCoeff()) << "far from all others less is known";
}

TEST(ExactGaussianProcess, GivesAFeatureThatSaysNothingTheLongestScale) {
  const RegressionData data = regression_of(wavy_law, 300, 3, 1);
  RegressionData shuffled = data;
  shuffled.x.col(2) = data.x.col(2).reverse().eval();
  const double change =
      rmse(exact_gaussian_process(data).predictions, exact_gaussian_process(shuffled).predictions, neither(data));
  ExactProcessOptions common;
  common.lengths = LengthScales::kInCommon;
  const double change_in_common = rmse(exact_gaussian_process(data, common).predictions,
                                       exact_gaussian_process(shuffled, common).predictions, neither(data));
  EXPECT_LT(change, 0.5);
  EXPECT_GT(change_in_common, 3 * change);
}

TEST(ExactGaussianProcess, FittedOnASampleIsNearlyAsGood) {
  const RegressionData data = regression_of(wavy_law, 1000, 2, 1);  // 600 training nodes
  ExactProcessOptions sampled, whole;
  sampled.fitted_nodes = 100;
  whole.fitted_nodes = 600;
  const double by_sample = rmse(exact_gaussian_process(data, sampled).predictions, data.y, neither(data));
  const double by_all = rmse(exact_gaussian_process(data, whole).predictions, data.y, neither(data));
  EXPECT_LT(by_sample, 1.15 * by_all);
}

TEST(ExactGaussianProcess, ErrsLessWithMoreEvaluationsOfTheLikelihood) {
  const RegressionData data = regression_of(wavy_law, 300, 3, 1);
  const auto error = [&](int evaluations) {
    return rmse(exact_gaussian_process(data, {.evaluations = evaluations}).predictions, data.y, neither(data));
  };
  EXPECT_GT(error(1), 1.1 * error(10)) << "a search of one evaluation returns its start";
  EXPECT_LT(error(100), 1.05 * error(0)) << "and 100 are as good as several starts";
  EXPECT_THAT(refusal([&] { error(-1); }), HasSubstr("evaluations must be 0 or more, not -1"));
}

TEST(ExactGaussianProcess, RefusesMoreNodesThanMemoryIsFor) {
  const std::int64_t nodes = kMostExactNodes + 1;
  const RegressionData data{Matrix::Zero(nodes, 1), Matrix::Zero(nodes, 1), all_rows(nodes), {}};
  EXPECT_THAT(refusal([&] { exact_gaussian_process(data); }), HasSubstr("5001 training nodes, at most 5000"));
}

}  // namespace
}  // namespace tacit::gnn
