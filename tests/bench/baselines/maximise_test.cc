#include "bench/baselines/maximise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tacit::gnn {
namespace {

using Eigen::Vector2d;

Box box_of(double low, double high) { return {Vector2d::Constant(low), Vector2d::Constant(high)}; }

Evaluation rosenbrock(const Eigen::VectorXd& x) {
  const double along = 1 - x(0), across = x(1) - x(0) * x(0);
  return {-along * along - 100 * across * across, Vector2d(2 * along + 400 * across * x(0), -200 * across)};
}

// Searches until no better place is found.
SearchLimits thorough() {
  SearchLimits limits;
  limits.slope = 1e-8;
  limits.gain = 0;
  return limits;
}

TEST(Maximise, FollowsACurvedRidgeToItsTop) {
  const Maximum found = maximise(rosenbrock, Vector2d(-1.2, 1), box_of(-5, 5), thorough());
  EXPECT_LT((found.at - Vector2d(1, 1)).norm(), 1e-6);
  EXPECT_LT(found.evaluations, 80);
}

TEST(Maximise, EndsAtTheWallThatTheTopLiesBehind) {
  const Maximum found = maximise(rosenbrock, Vector2d(-1.2, 0.2), box_of(-5, 0.5), thorough());
  // Along x1 = 0.5 the best place is where 2 (1 - x0) + 400 x0 (0.5 - x0²) = 0; the wall x0 = 0.5
  // comes first.
  EXPECT_LT((found.at - Vector2d(0.5, 0.25)).norm(), 1e-6);
}

TEST(Maximise, NeverEvaluatesOutsideTheBox) {
  const Box box = box_of(-1, 1);
  const auto watched = [&box](const Eigen::VectorXd& x) {
    EXPECT_EQ(x, box.clamped(x));
    return rosenbrock(x);
  };
  const Maximum found = maximise(watched, Vector2d(-9, 9), box, {});
  EXPECT_GT(found.value, rosenbrock(Vector2d(-1, 1)).value);
}

TEST(Maximise, StepsBackFromValuesThatAreNoNumbers) {
  const auto cliff = [](const Eigen::VectorXd& x) {
    if (x(0) >= 1) return Evaluation{std::numeric_limits<double>::quiet_NaN(), Vector2d(0, 0)};
    return Evaluation{std::log(1 - x(0)) + 3 * x(0) - x(1) * x(1), Vector2d(3 - 1 / (1 - x(0)), -2 * x(1))};
  };
  const Maximum found = maximise(cliff, Vector2d(-3, 2), box_of(-10, 10), {});
  EXPECT_NEAR(found.at(0), 2.0 / 3, 1e-3);
  EXPECT_NEAR(found.at(1), 0, 1e-3);
}

TEST(Maximise, StopsWhenItsEvaluationsAreUsedUp) {
  int evaluations = 0;
  const auto counted = [&evaluations](const Eigen::VectorXd& x) {
    ++evaluations;
    return rosenbrock(x);
  };
  SearchLimits limits;
  limits.evaluations = 7;
  const Maximum found = maximise(counted, Vector2d(-1.2, 1), box_of(-5, 5), limits);
  EXPECT_EQ(evaluations, 7);
  EXPECT_EQ(found.evaluations, 7);
}

}  // namespace
}  // namespace tacit::gnn
