// The bins of a column of numbers: each number is in its bin, bins follow one another, and a skewed column has a median that is
// right to a percent.
#include "gnn/clean/number_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "gnn/clean/statistics.h"

namespace tacit::gnn {
namespace {

using Range = std::pair<double, double>;

CleaningColumn numbers_of(Range range) {
  CleaningColumn column;
  column.range = range;
  column.repair = CleaningColumn::Repair::kMedian;
  return column;
}

const std::vector<Range> kRanges = {
    {0, 1e9},   {-1, 1},        {-1e9, 3},   {20, 100},       {1e6, 1e6 + 1},
    {-5, -4.5}, {-1e-12, 1e-9}, {0, 5e-324}, {-8e307, 8e307}, {0.1, 0.30000000000000004}};

TEST(NumberBins, FollowOneAnotherAndHoldTheirNumbers) {
  for (const Range& range : kRanges) {
    const CleaningColumn column = numbers_of(range);
    SCOPED_TRACE(testing::Message() << range.first << " " << range.second);
    EXPECT_EQ(bin_of(column, range.first), 0U);
    EXPECT_EQ(bin_of(column, range.second), bins_of_numbers(column) - 1);
    double before = range.first;
    for (std::size_t bin = 0; bin < bins_of_numbers(column); ++bin) {
      const NumberBin one = number_bin(column, bin);
      EXPECT_GE(one.middle, before);
      EXPECT_LE(one.middle, range.second);
      EXPECT_GE(one.half_width, 0);
      before = one.middle;
      if (one.half_width > 1e-6 * std::abs(one.middle)) {
        ASSERT_EQ(bin_of(column, one.middle), bin);
      }
    }
  }
}

TEST(NumberBins, AreNarrowNearZero) {
  for (const Range& range : {Range{0, 1e9}, Range{-1e9, 1e9}, Range{-3, 1e7}}) {
    const CleaningColumn column = numbers_of(range);
    const double most = std::max(-range.first, range.second), length = range.second - range.first;
    for (double number = most; number > most * 1e-8; number *= 0.7) {
      const NumberBin bin = number_bin(column, bin_of(column, number));
      EXPECT_LE(std::abs(number - bin.middle), bin.half_width * (1 + 1e-9)) << number;
      EXPECT_LE(bin.half_width, std::min(0.013 * std::max(number, most * 0x1p-24), length * 0x1.001p-12)) << number;
    }
  }
}

TEST(NumberBins, GiveAMedianOfSkewedAmounts) {
  std::mt19937 random(11);
  std::lognormal_distribution<double> amount(8, 1.5);
  CleaningRules rules;
  rules.columns = {numbers_of({0, 1e9})};
  CleaningStatistics all(rules);
  std::vector<double> amounts(10001);
  for (double& one : amounts) {
    one = amount(random);
    ++all.columns[0].counts[bin_of(rules.columns[0], one)];
  }
  all.kept = std::ssize(amounts) + 1;
  all.columns[0].imputed = 1;
  std::nth_element(amounts.begin(), amounts.begin() + 5000, amounts.end());
  EXPECT_NEAR(replacements(rules, all)[0] / amounts[5000], 1, 0.007);
}

TEST(NumberBins, OfWholeNumbersInAShortRangeHoldOneEach) {
  CleaningColumn ages = numbers_of({-3, 120});
  ages.whole = true;
  ASSERT_EQ(bins_of_numbers(ages), 124U);
  for (std::size_t bin = 0; bin < 124; ++bin) {
    EXPECT_EQ(number_bin(ages, bin).middle, static_cast<double>(bin) - 3);
    EXPECT_EQ(number_bin(ages, bin).half_width, 0);
    EXPECT_EQ(bin_of(ages, static_cast<double>(bin) - 3), bin);
  }
}

}  // namespace
}  // namespace tacit::gnn
