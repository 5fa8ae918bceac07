// A process reports its own usage: it includes memory that was given back, and excludes its
// parent's.
#include "gnn/train/usage.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/net/process.h"

namespace tacit::gnn {
namespace {

constexpr std::int64_t kMuch = std::int64_t{400} << 20;

TEST(Usage, ThePeakIsOfThisProcessAlone) {
  {
    const std::vector<char> much(kMuch, 'x');
    ASSERT_GE(usage_so_far().peak_memory, kMuch) << much.back();
  }
  EXPECT_GE(usage_so_far().peak_memory, kMuch) << "the peak includes memory that was given back";

  const std::int64_t peak = std::stoll(net::run_to_success({{USAGE_OF_SMALL_PROGRAM}, {}, -1}));
  EXPECT_GT(peak, 1 << 20);
  EXPECT_LT(peak, kMuch / 2) << "a program that we start does not begin with our memory";
}

TEST(Usage, TimeGoesOnAndWorkCounts) {
  const Usage before = usage_so_far();
  volatile double sum = 0;
  while ((usage_so_far() - before).cpu_seconds < 0.05) sum = sum + 1;
  const Usage used = usage_so_far() - before;
  EXPECT_GE(used.seconds, 0.04) << "one thread works no more than time goes by, but for how coarse its clock is";
  EXPECT_EQ(used.peak_memory, usage_so_far().peak_memory);
}

}  // namespace
}  // namespace tacit::gnn
