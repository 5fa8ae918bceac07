#include "bench/tables/confidence.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tacit::launcher {
namespace {

TEST(MeanInterval, IsStudents) {
  const MeanInterval three = mean_interval({17.83, 18.74, 20.87});  // the document's accuracies
  EXPECT_NEAR(three.mean, 19.1467, 1e-4);
  EXPECT_NEAR(*three.half, 4.303 * 1.5602 / std::sqrt(3.0), 1e-3);
  EXPECT_EQ(three.text("%"), "19.15 +- 3.876 %");
  EXPECT_FALSE(mean_interval({5}).half.has_value()) << "one run has no interval";
  EXPECT_EQ(mean_interval({5}).text("s"), "5.000 s");
  EXPECT_EQ(*mean_interval({3, 3, 3}).half, 0);
  std::vector<double> many;
  for (int i = 0; i < 41; ++i) many.push_back(i % 2);
  double squares = 0;
  for (const double one : many) squares += (one - 20.0 / 41) * (one - 20.0 / 41);
  EXPECT_NEAR(*mean_interval(many).half, 2.0211 * std::sqrt(squares / 40 / 41), 1e-4)
      << "more than 30 degrees of freedom";
}

TEST(CompareRuns, NeedsAnIntervalOnOneSide) {
  EXPECT_EQ(compare_runs({1, 1.1, 0.9}, {2, 2.1, 1.9}, 0.01), Comparison::kLess);
  EXPECT_EQ(compare_runs({2, 2.1, 1.9}, {1, 1.1, 0.9}, 0.01), Comparison::kMore);
  EXPECT_EQ(compare_runs({1, 2, 3}, {2, 1, 4}, 0.01), Comparison::kOpen);
  EXPECT_EQ(compare_runs({1}, {2}, 0.01), Comparison::kOpen) << "one run decides nothing";
  EXPECT_EQ(compare_runs({100, 101, 102}, {100.1, 101.1, 102.1}, 0.01), Comparison::kAlike);
  EXPECT_EQ(compare_runs({100, 101, 102}, {100.1, 101.1, 102.1}, 0.0001), Comparison::kLess)
      << "a smaller part matters";
}

// The runs differ much between seeds, and little within one.
TEST(CompareRuns, PairsEqualSeeds) {
  EXPECT_EQ(compare_runs({10, 20, 30}, {10.5, 20.5, 30.5}, 0.001), Comparison::kLess);
  EXPECT_EQ(compare_runs({10, 20, 30}, {30.5, 10.5, 20.5}, 0.001), Comparison::kOpen);
}

}  // namespace
}  // namespace tacit::launcher
