#include "launcher/data/histogram.h"

#include <gmock/gmock.h>

#include <limits>

namespace tacit::launcher {
namespace {

using testing::ElementsAre;

TEST(Histogram, CountsEveryNumberOnce) {
  const std::vector<double> values = {0, 0.1, 0.26, 0.5, 0.99, 1};
  const Histogram all = histogram(values, 4);
  EXPECT_THAT(all.counts, ElementsAre(2, 1, 1, 2));
  EXPECT_EQ(all.least, 0);
  EXPECT_EQ(all.most, 1);
}

TEST(Histogram, OfFewWholeNumbersHasAStepForEach) {
  EXPECT_THAT(histogram(std::vector<double>{3, 5, 5, 6}, 16).counts, ElementsAre(1, 0, 2, 1));
}

TEST(Histogram, TakesNothingOneNumberAndTheLargestThereAre) {
  EXPECT_THAT(histogram({}, 3).counts, ElementsAre(0, 0, 0));
  EXPECT_THAT(histogram(std::vector<double>{1.5, 1.5}, 3).counts, ElementsAre(2, 0, 0));
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_THAT(histogram(std::vector<double>{-kLargest, 0.5, kLargest}, 3).counts, ElementsAre(1, 1, 1));
}

TEST(Bars, AreHigherForMoreAndNeverBlankForSome) {
  EXPECT_EQ(bars(std::vector<std::int64_t>{0, 1, 500, 1000}, Letters::kAscii), " .=@");
  EXPECT_EQ(bars(std::vector<std::int64_t>{0, 8}, Letters::kBlocks), " █");
  EXPECT_EQ(bars(std::vector<std::int64_t>{0, 0}, Letters::kAscii), "  ");
  EXPECT_EQ(bars({}, Letters::kAscii), "");
}

}  // namespace
}  // namespace tacit::launcher
