#include <gtest/gtest.h>

#include "tests/bench/baselines/all_regressions.h"
#include "tests/bench/baselines/sample_regression.h"

namespace tacit::gnn {
namespace {

RegressionData usual_data() {
  return regression_of([](const Eigen::RowVectorXd& x) { return 20 + 4 * x(0); }, 60, 2, 0.2);
}

void expect_numbers(const Regression& found, const std::string& name) {
  EXPECT_TRUE(found.predictions.allFinite()) << name;
  EXPECT_TRUE(found.variances.allFinite()) << name;
  EXPECT_TRUE((found.variances.array() >= 0).all()) << name;
}

TEST(DegenerateData, AConstantFeatureChangesNothing) {
  for (const RegressionMethod& method : all_regressions()) {
    const RegressionData data = usual_data();
    RegressionData more = data;
    more.x.conservativeResize(Eigen::NoChange, 3);
    more.x.col(2).setConstant(1013.25);
    more.x(4, 2) = 999;  // not a training node, so the effect on the target cannot be known
    const Regression found = method.regress(more);
    expect_numbers(found, method.name);
    const double limit = method.name.ends_with("process") ? 0.2 : 1e-9;  // one more feature changes the starts
    EXPECT_LT((found.predictions - method.regress(data).predictions).cwiseAbs().maxCoeff(), limit) << method.name;
  }
}

TEST(DegenerateData, OnlyConstantFeaturesLeaveTheMean) {
  for (const RegressionMethod& method : all_regressions()) {
    RegressionData data = usual_data();
    const double mean = mean_predictor(data).predictions(0, 0);
    data.x.setConstant(3);
    const Regression found = method.regress(data);
    expect_numbers(found, method.name);
    EXPECT_LT((found.predictions.array() - mean).abs().maxCoeff(), 1e-6) << method.name;
  }
}

TEST(DegenerateData, OneTrainingNodeGivesItsTargetToAllOthers) {
  for (const RegressionMethod& method : all_regressions()) {
    RegressionData data = usual_data();
    data.train = {7};
    const Regression found = method.regress(data);
    expect_numbers(found, method.name);
    EXPECT_LT((found.predictions.array() - data.y(7, 0)).abs().maxCoeff(), 1e-9) << method.name;
  }
}

TEST(DegenerateData, AConstantTargetIsForetold) {
  for (const RegressionMethod& method : all_regressions()) {
    RegressionData data = usual_data();
    data.y.setConstant(42.3);
    const Regression found = method.regress(data);
    expect_numbers(found, method.name);
    EXPECT_LT((found.predictions.array() - 42.3).abs().maxCoeff(), 1e-9) << method.name;
  }
}

TEST(DegenerateData, EqualNodesWithDifferentTargetsGetAValueBetween) {
  for (const RegressionMethod& method : all_regressions()) {
    RegressionData data = usual_data();
    for (std::int64_t node = 0; node < 60; ++node) data.x.row(node) = data.x.row(node % 2);
    const Regression found = method.regress(data);
    expect_numbers(found, method.name);
    for (const std::int64_t kind : {0, 1}) {
      const double predicted = found.predictions(kind, 0);
      EXPECT_GT(predicted, data.y.minCoeff()) << method.name;
      EXPECT_LT(predicted, data.y.maxCoeff()) << method.name;
      EXPECT_NEAR(found.predictions(58 + kind, 0), predicted, 1e-9) << method.name;
    }
  }
}

TEST(DegenerateData, MoreFeaturesThanNodesAreNoTrouble) {
  const auto law = [](const Eigen::RowVectorXd& x) { return x(0); };
  const RegressionData data = regression_of(law, 20, 50, 0.1);
  for (const RegressionMethod& method : all_regressions()) expect_numbers(method.regress(data), method.name);
}

}  // namespace
}  // namespace tacit::gnn
