#include "launcher/bench/growth.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tacit::launcher {
namespace {

std::vector<Point> law(double factor, double exponent) {
  std::vector<Point> points;
  for (int n = 2; n <= 8; ++n) points.push_back({1.0 * n, factor * std::pow(n, exponent)});
  return points;
}

TEST(Growth, FindsThePowerOfAnExactLaw) {
  for (const double exponent : {-0.5, 0.0, 1.0, 2.0, 3.5}) {
    const auto growth = growth_of(law(7, exponent));
    ASSERT_TRUE(growth);
    EXPECT_NEAR(growth->exponent, exponent, 1e-12);
    EXPECT_NEAR(growth->factor, 7, 1e-9);
    EXPECT_NEAR(growth->fit, 1, 1e-9);
  }
}

TEST(Growth, IsSaidInWords) {
  EXPECT_EQ(growth_of(law(1, 1.04))->text(), "as n^1.04: linearly");
  EXPECT_THAT(growth_of(law(1, 0.5))->text(), testing::HasSubstr("less than linearly"));
  EXPECT_THAT(growth_of(law(1, 2))->text(), testing::HasSubstr("faster than linearly"));
  EXPECT_THAT(growth_of(law(1, 0))->text(), testing::HasSubstr("hardly at all"));
  EXPECT_THAT(growth_of(law(1, -1))->text(), testing::HasSubstr("it falls"));
}

TEST(Growth, FitsLessWellWherePointsScatter) {
  const auto growth = growth_of({{1, 1}, {2, 4}, {3, 2}, {4, 8}});
  ASSERT_TRUE(growth);
  EXPECT_GT(growth->fit, 0.4);
  EXPECT_LT(growth->fit, 0.9);
  EXPECT_THAT(growth->text(), testing::StartsWith("by no power of n (R squared 0."));
}

TEST(Growth, IsNotGuessedFromTooLittle) {
  EXPECT_FALSE(growth_of({}));
  EXPECT_FALSE(growth_of({{1, 1}, {2, 2}}));
  EXPECT_FALSE(growth_of({{1, 1}, {2, 0}, {3, 3}})) << "a power never passes through zero";
  EXPECT_FALSE(growth_of({{2, 1}, {2, 2}, {2, 3}})) << "one place alone";
}

}  // namespace
}  // namespace tacit::launcher
