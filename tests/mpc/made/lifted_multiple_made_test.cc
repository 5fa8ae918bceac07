// What the parties make for a lifted multiple is within its bound of the exact one, and its sigma is exact.
#include <gtest/gtest.h>

#include "tests/mpc/made/made_requests.h"

namespace tacit::mpc {
namespace {

struct Multiple {
  int k;
  std::int64_t mantissa;
  int shift, bits;
};

const std::vector<Multiple> kMultiples{{20, 1365, 12, 64},  {36, -4093, 25, 64},
                                       {20, 3, 20, 40},     {12, 1, 12, 14},
                                       {51, 12345, 15, 64}, {64, -3, 9, 64},
                                       {9, 1, 0, 40},       {9, 1, 0, 9},
                                       {64, 1, 0, 64},      {64, -1, 64, 64},
                                       {20, -7, 20, 64},    {63, 5, 63, 63},
                                       {2, -1, 1, 2},       {40, (std::int64_t{1} << 62) - 1, 40, 64}};

TEST(LiftedMultipleMade, IsWithinHalfAUnitForEachParty) {
  for (const int parties : kNumbersOfParties) {
    std::vector<Ask<LiftedMultipleRequest>> asks;
    for (const Multiple& of : kMultiples) {
      for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{65, 3}, Shape{8, 16}}) {
        asks.push_back([=](TestMasks& masks) {
          return LiftedMultipleRequest{masks.words(shape.transposed()).transposed(), of.k, of.mantissa, of.shift,
                                       of.bits};
        });
      }
    }
    const std::vector<MadeTensors> all = made_by_parties(parties, asks);
    std::uint64_t farthest = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      SCOPED_TRACE(testing::Message() << parties << " parties, request " << i);
      EXPECT_EQ(all[i].sums[1], all[i].expected[1]);
      // The reference is off by up to half a unit itself.
      const bool exact = parties == 1 || kMultiples[i / 4].shift == 0;
      EXPECT_LE(all[i].farthest(0), exact ? 0 : static_cast<std::uint64_t>(parties + 1) / 2);
      farthest = std::max(farthest, all[i].farthest(0));
    }
    EXPECT_GE(farthest, parties > 1 ? 1U : 0U);
  }
}

}  // namespace
}  // namespace tacit::mpc
