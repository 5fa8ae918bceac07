#include "launcher/report/quantity.h"

#include <gmock/gmock.h>

namespace tacit::launcher {
namespace {

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
