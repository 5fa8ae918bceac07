#include "bench/tables/growth.h"

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
  EXPECT_THAT(growth_of(law(1, 1.04))->text(), testing::HasSubstr("linearly, as 1.1"));
  EXPECT_THAT(growth_of(law(1, 0.5))->text(), testing::HasSubstr("less than linearly"));
  EXPECT_THAT(growth_of(law(1, 2))->text(), testing::HasSubstr("faster than linearly"));
  EXPECT_THAT(growth_of(law(1, 0))->text(), testing::HasSubstr("hardly at all"));
  EXPECT_THAT(growth_of(law(1, -1))->text(), testing::HasSubstr("it falls"));
}

// The published figures of CrypTen and MP-SPDZ, and the figures of the report on them.
TEST(Growth, KnowsALineThatMissesZero) {
  const auto line = growth_of({{2, 8.11}, {3, 15.2}, {4, 22.3}, {5, 29.4}});
  EXPECT_EQ(line->text(), "linearly, as 7.1 n - 6.1");
  EXPECT_NEAR(line->exponent, 1.41, 0.01) << "which would say otherwise";
  EXPECT_TRUE(growth_of({{2, 8.40}, {3, 20.0}, {4, 29.01}, {5, 38.34}})->is_linear()) << "the report's data";
  EXPECT_FALSE(growth_of({{2, 0.78}, {3, 1.98}, {4, 2.54}, {5, 4.38}})->is_linear()) << "the report's time";
  EXPECT_FALSE(growth_of({{2, 11.3}, {3, 30.0}, {4, 49.5}, {5, 73.5}})->text().empty());
  for (const double exponent : {0.5, 1.5, 2.0}) EXPECT_FALSE(growth_of(law(1, exponent))->is_linear()) << exponent;
  EXPECT_FALSE(growth_of(law(1, 0))->is_linear());
  EXPECT_FALSE(growth_of({{6, 36}, {7, 49}, {8, 64}})->is_linear()) << "a square, over a narrow range";
  EXPECT_FALSE(growth_of({{10, 90}, {12, 132}, {14, 182}})->is_linear()) << "pairs of parties";
  EXPECT_TRUE(growth_of({{6, 63}, {7, 73}, {8, 83.2}})->is_linear());
}

TEST(Growth, OfALineDoesNotDependOnTheScale) {
  std::vector<Point> points;
  for (const double x : {300.0, 1000.0, 3000.0, 10'000.0, 100'000.0}) points.push_back({x, 7e-9 * x + 1e-6});
  const auto growth = growth_of(points);
  EXPECT_TRUE(growth->is_linear());
  EXPECT_NEAR(growth->slope, 7e-9, 1e-15);
  EXPECT_NEAR(growth->offset, 1e-6, 1e-12);
  EXPECT_NEAR(growth->steepening, 1, 1e-6);
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
