#include "bench/data/random_source.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tacit::gnn {
namespace {

TEST(RandomSource, GivesTheWordsOfSplitMix64) {
  RandomSource random(0);
  EXPECT_EQ(random.word(), 0xe220a8397b1dcdafU);
  EXPECT_EQ(random.word(), 0x6e789e6aa1b965f4U);
  EXPECT_EQ(random.word(), 0x06c45d188009454fU);
}

TEST(RandomSource, IsUniformBelowAnyLimit) {
  RandomSource random(7);
  for (const std::int64_t limit : {1, 2, 3, 6, 8, 13}) {
    std::vector<int> counts(static_cast<std::size_t>(limit));
    const int draws = 20'000 * static_cast<int>(limit);
    for (int i = 0; i < draws; ++i) ++counts.at(static_cast<std::size_t>(random.below(limit)));
    // 20000 expected each, with a standard deviation of at most 142
    EXPECT_THAT(counts, testing::Each(testing::AllOf(testing::Gt(19'200), testing::Lt(20'800)))) << limit;
  }
}

TEST(RandomSource, IsNormalToItsFourthMoment) {
  RandomSource random(3);
  constexpr int kDraws = 200'000;
  std::array<double, 5> moments{};
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    double power = 1;
    for (double& moment : moments) {
      moment += power / kDraws;
      power *= x;
    }
  }
  EXPECT_NEAR(moments[1], 0, 0.01);
  EXPECT_NEAR(moments[2], 1, 0.015);
  EXPECT_NEAR(moments[3], 0, 0.04);
  EXPECT_NEAR(moments[4], 2.9, 0.1);  // 3 - 6/5/12: the sum of twelve uniform numbers is slightly short of normal
}

TEST(RandomSource, ShufflesIntoEveryOrderAlike) {
  RandomSource random(11);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) {
    std::vector<std::int64_t> order = {0, 1, 2};
    random.shuffle(order);
    std::size_t number = 0;
    std::vector<std::int64_t> at = {0, 1, 2};
    while (at != order) {
      ++number;
      ASSERT_TRUE(std::next_permutation(at.begin(), at.end()));
    }
    ++counts.at(number);
  }
  EXPECT_THAT(counts, testing::Each(testing::AllOf(testing::Gt(9'500), testing::Lt(10'500))));
}

}  // namespace
}  // namespace tacit::gnn
