#include "mpc/levels/level_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/error.h"

namespace tacit::mpc {
namespace {

using testing::HasSubstr;

TEST(LevelPlanner, RoomIsFractionMagnitudeAndTwoBits) {
  EXPECT_EQ(room_for(13, 1.0), 13 + 1 + 2);  // 1 needs a bit before the point
  EXPECT_EQ(room_for(13, 0.99), 13 + 0 + 2);
  EXPECT_EQ(room_for(13, 1000), 13 + 10 + 2);
  EXPECT_EQ(room_for(13, 1024), 13 + 11 + 2);
  EXPECT_EQ(room_for(13, 0.25), 13 - 1 + 2);
}

TEST(LevelPlanner, ATensorFallsAndIsLiftedOnlyWhereTheNextProductWouldNotFit) {
  LevelPlanner planner(64, 13);
  const Level x = planner.input("X", 1), a = planner.input("A", 1), w = planner.input("W", 4);
  const ProductPlan ax = planner.product("AX", a, x, 2708, 4);
  EXPECT_FALSE(ax.lift_left || ax.lift_right);
  EXPECT_EQ(ax.drop, 13);
  EXPECT_EQ(ax.result.format, (Format{51, 13}));
  const ProductPlan axw = planner.product("AXW", ax.result, w, 1433, 50);
  EXPECT_FALSE(axw.lift_left || axw.lift_right);
  EXPECT_EQ(axw.result.format, (Format{38, 13}));
  const ProductPlan next = planner.product("next", axw.result, w, 16, 1000);
  EXPECT_FALSE(next.lift_left) << "26 + 10 + 2 bits are 38";
  EXPECT_EQ(next.result.format, (Format{25, 13}));
  const ProductPlan last = planner.product("last", next.result, w, 16, 1000);
  EXPECT_TRUE(last.lift_left);
  EXPECT_FALSE(last.lift_right);
  EXPECT_EQ(last.result.format, (Format{51, 13}));
  EXPECT_THAT(planner.text(), HasSubstr("first lift next from 25 to 64: the product needs 38"));
}

TEST(LevelPlanner, ABoundFollowsFromTheOperandsUnlessLessIsDeclared) {
  LevelPlanner planner(64, 13);
  const Level x = planner.input("X", 2), y = planner.input("Y", 3);
  const double unit = 1.0 / (1 << 13);  // possible error of rounding
  EXPECT_EQ(planner.product("XY", x, y, 10).result.bound, 60 + unit);
  EXPECT_EQ(planner.product("XY", x, y, 10, 7).result.bound, 7 + unit);
  EXPECT_EQ(planner.product("XY", x, y, 10, 700).result.bound, 60 + unit);
  EXPECT_EQ(planner.sum("X+Y", x, y).bound, 5);
}

TEST(LevelPlanner, ARoundingThatReachesAPowerOfTwoHasItsRoom) {
  LevelPlanner planner(32, 4, 5);
  const Level x = planner.input("X", 7.9), one = planner.input("one", 1);
  const ProductPlan product = planner.product("product", x, one, 1);
  EXPECT_GT(product.result.bound, 8) << "7.9 and two units and a half of 1/16";
  EXPECT_EQ(LevelPlanner::comparison_bits(product.result), 4 + 4 + 1);
}

TEST(LevelPlanner, SmallBoundsNeverMakeARingThatIsTooNarrow) {
  LevelPlanner planner(48, 12);
  const Level w = planner.input("W", 4);
  Level x = planner.input("X", 4);
  for (const double bound : {4.0, 0x1p-6, 0x1p-12, 0x1p-16, 0.0}) {
    const ProductPlan next = planner.product("next", x, w, 16, bound);
    EXPECT_TRUE(fits(next.result));
    EXPECT_GT(next.result.format.ring_bits, next.result.format.fraction_bits);
    EXPECT_GT(x.format.ring_bits + (next.lift_left ? 48 : 0), next.drop);
    x = next.result;
  }
}

TEST(LevelPlanner, WhatCannotFitIsAnErrorThatNamesTensorNeedAndRemedy) {
  LevelPlanner planner(48, 12);
  const auto message_of = [](const auto& run) -> std::string {
    try {
      run();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message_of([&] { planner.input("features", 1e12); }),
              testing::AllOf(HasSubstr("features"), HasSubstr("48"), HasSubstr("Scale the data")));
  const Level x = planner.input("X", 1e4), y = planner.input("Y", 1e4);
  EXPECT_THAT(message_of([&] { planner.product("X·Y", x, y, 100); }),
              testing::AllOf(HasSubstr("X·Y"), HasSubstr("60 bits"), HasSubstr("Declare a smaller range")));
}

TEST(LevelPlanner, ComparisonsAreAsWideAsTheRange) {
  LevelPlanner planner(64, 13);
  Level z = planner.input("Z", 4095);
  EXPECT_EQ(LevelPlanner::comparison_bits(z), 13 + 12 + 1);
  z.format.ring_bits = 20;
  EXPECT_THROW(LevelPlanner::comparison_bits(z), BrokenInvariant) << "it does not fit";
}

}  // namespace
}  // namespace tacit::mpc
