#include "mpc/device/fragment.h"

#include <gtest/gtest.h>

namespace tacit::mpc::device {
namespace {

// CUTLASS states each layout as a map of lane and value to a place in column-major order (SM80_16x8x32).
TEST(Fragment, HasTheLayoutsThatCutlassStatesForMmaSync) {
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int v = 0; v < 16; ++v) {
      const int at = lane % 4 * 64 + lane / 4 + v % 4 * 16 + v / 4 % 2 * 8 + v / 8 * 256;
      EXPECT_EQ(Fragment::left_row(lane, v / 4), at % 16) << lane << ", " << v;
      EXPECT_EQ(Fragment::left_depth(lane, v / 4, v % 4), at / 16) << lane << ", " << v;
    }
    for (int v = 0; v < 8; ++v) {
      const int at = lane % 4 * 32 + lane / 4 + v % 4 * 8 + v / 4 * 128;
      EXPECT_EQ(Fragment::right_col(lane), at % 8) << lane << ", " << v;
      EXPECT_EQ(Fragment::right_depth(lane, v / 4, v % 4), at / 8) << lane << ", " << v;
    }
    for (int v = 0; v < 4; ++v) {
      const int at = lane % 4 * 32 + lane / 4 + v % 2 * 16 + v / 2 * 8;
      EXPECT_EQ(Fragment::sum_row(lane, v), at % 16) << lane << ", " << v;
      EXPECT_EQ(Fragment::sum_col(lane, v), at / 16) << lane << ", " << v;
    }
  }
}

}  // namespace
}  // namespace tacit::mpc::device
