#include "launcher/report/axis.h"

#include <gmock/gmock.h>

#include <cmath>

#include "launcher/report/quantity.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> all;
  for (const Tick& tick : axis.ticks) all.push_back(tick.label);
  return all;
}

TEST(Axis, HasRoundTicksThatHoldAllValues) {
  EXPECT_THAT(labels(linear_axis(0, 0.9, 5)), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(linear_axis(10.7, 26.4, 5)), ElementsAre("10", "15", "20", "25", "30"));
  EXPECT_THAT(labels(linear_axis(0, 9, 4)), ElementsAre("0", "2.5", "5.0", "7.5", "10.0"));
  EXPECT_THAT(labels(linear_axis(-3, 3, 3)), ElementsAre("-4", "-2", "0", "2", "4"));
}

TEST(Axis, OfAnySpanHasAFewTicksInOrderAndEndsBeyondTheValues) {
  for (const double least : {-1e6, -0.37, 0.0, 1e-7, 3.3, 1e12}) {
    for (const double span : {1e-6, 0.013, 1.0, 17.5, 123456.0, 1e10}) {
      if (span < 1e-9 * std::abs(least)) continue;  // nothing a double tells apart
      const Axis axis = linear_axis(least, least + span, 5);
      EXPECT_LE(axis.low, least + 1e-6 * span);
      EXPECT_GE(axis.high, least + span - 1e-6 * span);
      EXPECT_GE(axis.ticks.size(), 3u) << least << " " << span;
      EXPECT_LE(axis.ticks.size(), 8u) << least << " " << span;
      EXPECT_NEAR(axis.at(axis.ticks.front().value), 0, 1e-6);
      EXPECT_NEAR(axis.at(axis.ticks.back().value), 1, 1e-6);
    }
  }
}

TEST(Axis, OfOneValueHasItInside) {
  for (const double value : {-5.0, 0.0, 11.5}) {
    const Axis axis = linear_axis(value, value, 5);
    EXPECT_LE(axis.low, value);
    EXPECT_GT(axis.high, value);
  }
  EXPECT_THAT(labels(counting_axis(7, 7, 6)), ElementsAre("7"));
}

TEST(Axis, OfEpochsHasWholeStepsAndBeginsWithTheFirst) {
  EXPECT_THAT(labels(counting_axis(1, 200, 6)), ElementsAre("1", "50", "100", "150", "200"));
  EXPECT_THAT(labels(counting_axis(1, 5, 6)), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(labels(counting_axis(1, 13, 6)), ElementsAre("1", "2", "4", "6", "8", "10", "12"));
}

TEST(Axis, ThatIsLogarithmicHasTicksOfOneTwoFive) {
  const Axis axis = logarithmic_axis(0.0885, 1.74, 6);
  EXPECT_THAT(labels(axis), ElementsAre("0.05", "0.1", "0.2", "0.5", "1", "2"));
  EXPECT_NEAR(axis.at(std::sqrt(0.05 * 2)), 0.5, 1e-9);
  EXPECT_LE(logarithmic_axis(1e-12, 1e12, 6).ticks.size(), 10u);
}

TEST(Quantity, IsWrittenWithTheUnitThatFits) {
  EXPECT_EQ(text_of(Quantity::kBytes, 51463730), "51.46 MB");
  EXPECT_EQ(text_of(Quantity::kBytes, 0), "0 B");
  EXPECT_EQ(text_of(Quantity::kBytes, 999), "999 B");
  EXPECT_EQ(text_of(Quantity::kSeconds, 0.00274), "2.740 ms");
  EXPECT_EQ(text_of(Quantity::kSeconds, 90), "90.00 s");
  EXPECT_EQ(text_of(Quantity::kSeconds, 7200), "120.0 min");
  EXPECT_EQ(text_of(Quantity::kCount, 30), "30");
  EXPECT_EQ(text_of(Quantity::kCount, 1234567), "1\u202f234\u202f567");
  EXPECT_EQ(text_of(Quantity::kNumber, 0.0885), "0.08850");
  EXPECT_EQ(text_of(Quantity::kNumber, 1234), "1234");
  EXPECT_EQ(text_of(Quantity::kNumber, -1e-7), "-1.000e-07");
  EXPECT_EQ(grouped(-1234), "-1\u202f234");
  EXPECT_EQ(grouped(-123), "-123");
}

}  // namespace
}  // namespace tacit::launcher
