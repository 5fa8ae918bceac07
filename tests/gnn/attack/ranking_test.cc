// The area under the curve equals a count over all pairs, and the bound by epsilon equals numeric integration.
#include "gnn/attack/ranking.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "net/error.h"

namespace tacit::gnn {
namespace {

// Scores of few different values, so that many are equal.
std::vector<double> scores(std::size_t count, double shift, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(shift, 1);
  std::vector<double> all(count);
  for (double& one : all) one = std::round(4 * normal(random)) / 4;
  return all;
}

TEST(Ranking, HasTheAreaOfAllPairs) {
  for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 50}, {50, 1}, {200, 300}}) {
    for (const double shift : {-1.0, 0.0, 0.5, 20.0}) {
      const std::vector<double> members = scores(m, shift, 1), others = scores(n, 0, 2);
      double pairs = 0;
      for (const double a : members) {
        for (const double b : others) pairs += a > b ? 1 : a == b ? 0.5 : 0;
      }
      const Ranking ranking = ranking_of(members, others);
      EXPECT_NEAR(ranking.area, pairs / static_cast<double>(m * n), 1e-12);
      EXPECT_GE(ranking.advantage, 0);
      EXPECT_LE(ranking.at_thousandth, ranking.at_percent);
    }
  }
}

TEST(Ranking, CountsTheMembersFoundAtFewFalseAlarms) {
  std::vector<double> members(100, 0), others(1000, 0);
  for (std::size_t i = 0; i < 30; ++i) members[i] = 2;   // above all others
  for (std::size_t i = 30; i < 45; ++i) members[i] = 1;  // beside 5 of 1,000 others
  for (std::size_t i = 0; i < 5; ++i) others[i] = 1;
  const Ranking ranking = ranking_of(members, others);
  EXPECT_DOUBLE_EQ(ranking.at_thousandth, 0.30);
  EXPECT_DOUBLE_EQ(ranking.at_percent, 0.45);
  EXPECT_NEAR(ranking.advantage, 0.445, 1e-12);
}

TEST(Ranking, OfScoresThatTellNothingIsAboutOneHalf) {
  const Ranking ranking = ranking_of(scores(2000, 0, 3), scores(3000, 0, 4));
  EXPECT_NEAR(ranking.area, 0.5, 4 * ranking.error);
  EXPECT_NEAR(ranking.error, std::sqrt(5001 / (12.0 * 2000 * 3000)), 1e-12);
}

TEST(Ranking, NeedsRecordsOfBothKinds) {
  EXPECT_THROW(ranking_of({}, {1}), ConfigError);
  EXPECT_THROW(ranking_of({1}, {}), ConfigError);
}

TEST(TheBound, IsTheAreaUnderWhatEpsilonAllows) {
  for (const double epsilon : {0.0, 0.1, 1.0, 4.0, 8.0}) {
    for (const double delta : {0.0, 1e-5, 0.1}) {
      constexpr int kSteps = 200'000;
      double area = 0;
      for (int i = 0; i < kSteps; ++i) area += most_found(epsilon, delta, (i + 0.5) / kSteps) / kSteps;
      EXPECT_NEAR(largest_area(epsilon, delta), area, 1e-5) << epsilon << " " << delta;
    }
  }
  EXPECT_NEAR(largest_area(1, 0), 0.7311, 1e-4);  // the design's table
  EXPECT_NEAR(largest_area(4, 0), 0.9820, 1e-4);
  EXPECT_EQ(largest_area(std::numeric_limits<double>::infinity(), 0), 1);
  EXPECT_DOUBLE_EQ(most_found(0, 0, 0.3), 0.3);
}

}  // namespace
}  // namespace tacit::gnn
