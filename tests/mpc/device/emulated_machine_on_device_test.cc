// The emulated device finds the errors for which it exists: a kernel without a barrier, and threads that wait forever.
#include <gtest/gtest.h>

#include "tests/mpc/device/emulated_orders.h"

namespace tacit::mpc::device {
namespace {

constexpr int kThreads = 64;

// Thread i gives word i to its left neighbour; with or without a barrier between writing and reading.
template <bool kBarrier>
void rotate(Word* words) {
  TACIT_SHARED(Word, shared, kThreads);
  const int i = static_cast<int>(threadIdx.x);
  shared[i] = words[i];
  if (kBarrier) __syncthreads();
  words[i] = shared[(i + 1) % kThreads];
}

std::vector<Word> rotated(void (*kernel)(Word*)) {
  std::vector<Word> words(kThreads);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i;
  launch(kernel, dim3(1), dim3(kThreads), Stream{}, words.data());
  return words;
}

TEST(EmulatedMachine, AMissingBarrierChangesTheResultAndABarrierMakesItRightInEveryOrder) {
  std::vector<Word> expected(kThreads);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = (i + 1) % kThreads;
  int right = 0;
  in_every_order([&] {
    EXPECT_EQ(rotated(rotate<true>), expected);
    right += rotated(rotate<false>) == expected;
  });
  EXPECT_EQ(right, 0);
}

TEST(EmulatedMachine, ABallotCollectsTheBitsOfAWarpInTheOrderOfItsLanes) {
  const auto ballots = +[](Word* out) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = __ballot_sync(~0U, i % 3 == 0 ? 1 : 0);
  };
  in_every_order([&] {
    std::vector<Word> words(kThreads);
    launch(ballots, dim3(1), dim3(kThreads), Stream{}, words.data());
    for (int i = 0; i < kThreads; ++i) {
      Word expected = 0;
      for (int lane = 0; lane < 32; ++lane) expected |= Word{(i / 32 * 32 + lane) % 3 == 0} << lane;
      EXPECT_EQ(words[static_cast<std::size_t>(i)], expected) << "thread " << i;
    }
  });
}

TEST(EmulatedMachineDeathTest, ABallotThatHalfAWarpSkipsEndsTheProcess) {
  const auto kernel = +[](Word*) {
    if (threadIdx.x < 16) __ballot_sync(~0U, 1);
  };
  EXPECT_DEATH(launch(kernel, dim3(1), dim3(kThreads), Stream{}, nullptr), "threads wait for others that never come");
}

TEST(EmulatedMachineDeathTest, MoreSharedMemoryThanABlockHasEndsTheProcess) {
  const auto kernel = +[](Word*) {
    TACIT_SHARED(Word, shared, 48 * 1024 / 8 + 1);
    shared[0] = 1;
  };
  EXPECT_DEATH(launch(kernel, dim3(1), dim3(kThreads), Stream{}, nullptr), "more than 48 KiB of shared memory");
}

}  // namespace
}  // namespace tacit::mpc::device
