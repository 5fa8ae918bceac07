#include "bench/baselines/regression.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/bench/baselines/all_regressions.h"
#include "tests/bench/baselines/sample_regression.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

RegressionData sample() {
  return regression_of([](const Eigen::RowVectorXd& x) { return x(0) * x(1); }, 50, 3, 0.3);
}

TEST(Regression, NeverLooksAtTheTargetsOfOtherNodes) {
  for (const RegressionMethod& method : all_regressions()) {
    RegressionData data = sample();
    const Regression before = method.regress(data);
    for (const std::int64_t node : neither(data)) data.y(node, 0) = kNoNumber;
    EXPECT_EQ(method.regress(data).predictions, before.predictions) << method.name;
    if (method.name == "ridge") continue;  // chooses its penalty by validation nodes
    for (const std::int64_t node : data.validation) data.y(node, 0) += 1000;
    EXPECT_EQ(method.regress(data).predictions, before.predictions) << method.name;
  }
}

TEST(Regression, EqualDataGiveEqualResults) {
  for (const RegressionMethod& method : all_regressions()) {
    const Regression one = method.regress(sample()), again = method.regress(sample());
    EXPECT_EQ(one.predictions, again.predictions) << method.name;
    EXPECT_EQ(one.variances, again.variances) << method.name;
    EXPECT_EQ(one.chosen, again.chosen) << method.name;
  }
}

TEST(Regression, FollowsTheUnits) {
  for (const RegressionMethod& method : all_regressions()) {
    const RegressionData data = sample();
    RegressionData other = data;
    other.x = 1000 * data.x.array() + 7;
    other.y = 32 + 1.8 * data.y.array();
    const Regression found = method.regress(data), in_other = method.regress(other);
    const Matrix expected = 32 + 1.8 * found.predictions.array();
    EXPECT_LT((in_other.predictions - expected).cwiseAbs().maxCoeff(), 1e-4) << method.name;
    if (found.variances.size() == 0) continue;
    EXPECT_LT((in_other.variances - 1.8 * 1.8 * found.variances).cwiseAbs().maxCoeff(), 1e-4) << method.name;
  }
}

TEST(Regression, RefusesUnfitData) {
  for (const RegressionMethod& method : all_regressions()) {
    const auto said = [&](auto change) {
      RegressionData data = sample();
      change(data);
      return refusal([&] { method.regress(data); });
    };
    const auto is_refused = [&](auto change, const char* why) {
      EXPECT_THAT(said(change), HasSubstr(why)) << method.name;
    };
    is_refused([](RegressionData& d) { d.y = Matrix::Zero(50, 2); }, "2 target columns; expected one");
    is_refused([](RegressionData& d) { d.y = Matrix::Zero(49, 1); }, "features of 50 nodes and targets of 49");
    is_refused([](RegressionData& d) { d.train.clear(); }, "no node to train on");
    is_refused([](RegressionData& d) { d.train.push_back(50); }, "training node 50 is not one of 50");
    is_refused([](RegressionData& d) { d.validation.push_back(0); }, "validation nodes do not ascend at node 0");
    is_refused([](RegressionData& d) { d.x(4, 1) = kNoNumber; }, "a feature of node 4 is not a number below 1e100");
    is_refused([](RegressionData& d) { d.y(5, 0) = 1e200; }, "the target of node 5 is not a number below 1e100");
    is_refused([](RegressionData& d) { d.y(3, 0) = kNoNumber; }, "the target of node 3 is not a number below 1e100");
  }
}

}  // namespace
}  // namespace tacit::gnn
