#include "mpc/kernels/workers.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace tacit::mpc {
namespace {

class WorkersOf : public testing::TestWithParam<int> {
 protected:
  Workers workers_{GetParam()};
};

TEST_P(WorkersOf, AreAsManyAsAskedFor) { EXPECT_EQ(workers_.threads(), GetParam()); }

TEST_P(WorkersOf, DoEveryPieceOnce) {
  for (const Workers::Who who : {Workers::Who::kAll, Workers::Who::kAwake}) {
    for (const std::int64_t count : {0, 1, 2, 3, 7, 100}) {
      std::vector<int> done(static_cast<std::size_t>(count));  // not atomic: each element belongs to one thread
      workers_.for_each(
          count, [&](std::int64_t i) { ++done[static_cast<std::size_t>(i)]; }, who);
      EXPECT_EQ(done, std::vector<int>(done.size(), 1));
    }
  }
}

TEST_P(WorkersOf, AreDoneWhenTheCallReturns) {
  std::vector<std::int64_t> values(5);
  for (std::int64_t call = 0; call < 2000; ++call) {  // helpers that wake late find a later call
    workers_.for_each(std::ssize(values), [&](std::int64_t i) { values[static_cast<std::size_t>(i)] = call; });
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), std::int64_t{0}), call * std::ssize(values));
  }
}

// The caller lets helpers fall asleep between some calls, about when they do, and wakes them in some calls.
TEST_P(WorkersOf, AreDoneWhetherTheirHelpersSleepOrNot) {
  std::vector<std::int64_t> values(3);
  for (std::int64_t call = 0; call < 1000; ++call) {
    workers_.for_each(
        std::ssize(values), [&](std::int64_t i) { values[static_cast<std::size_t>(i)] = call; },
        call % 3 == 0 ? Workers::Who::kAll : Workers::Who::kAwake);
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), std::int64_t{0}), call * std::ssize(values));
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(call % 100);
    while (call % 5 != 0 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  }
}

TEST_P(WorkersOf, CoverARangeWithoutGapsOrOverlaps) {
  for (const std::int64_t count : {0, 1, 9, 10, 19, 20, 21, 1001}) {
    std::vector<int> done(static_cast<std::size_t>(count));
    workers_.for_ranges(count, 10, [&](std::int64_t begin, std::int64_t end) {
      EXPECT_TRUE(end - begin >= 10 / Workers::kFinest || count < 10 / Workers::kFinest);
      for (std::int64_t i = begin; i < end; ++i) ++done[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(done, std::vector<int>(done.size(), 1));
  }
}

TEST_P(WorkersOf, LeaveWhatIsTooLittleToShareToTheCaller) {
  const std::int64_t too_little = 2 * (10 / Workers::kFinest) - 1;
  std::set<std::thread::id> who;
  workers_.for_ranges(too_little, 10, [&](std::int64_t, std::int64_t) { who.insert(std::this_thread::get_id()); });
  EXPECT_EQ(who, std::set{std::this_thread::get_id()});
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkersOf, testing::Values(1, 2, 3, 8));

// Each piece waits for all others, so the loop ends only with as many threads as pieces.
TEST(Workers, RunAtTheSameTime) {
  constexpr int kThreads = 3;
  Workers workers(kThreads);
  std::atomic<int> there = 0;
  workers.for_each(kThreads, [&](std::int64_t) {
    ++there;
    while (there < kThreads) std::this_thread::yield();
  });
  EXPECT_EQ(there, kThreads);
}

// A word that another core wrote last takes several times as long to read, so each thread begins where it began in every call.
TEST(Workers, BeginWithPartsOfTheirOwn) {
  constexpr int kThreads = 3;
  constexpr std::int64_t kPieces = 12;
  Workers workers(kThreads);
  for (int call = 0; call < 20; ++call) {
    std::atomic<int> there = 0;
    std::array<std::atomic<bool>, kPieces> first{};
    const auto caller = std::this_thread::get_id();
    thread_local int seen;
    workers.for_each(kPieces, [&](std::int64_t i) {
      if (std::exchange(seen, call + 1) == call + 1) return;
      first[static_cast<std::size_t>(i)] = true;
      EXPECT_EQ(i == 0, std::this_thread::get_id() == caller);
      ++there;
      while (there < kThreads) std::this_thread::yield();
    });
    for (std::int64_t i = 0; i < kPieces; ++i) EXPECT_EQ(first[static_cast<std::size_t>(i)], i % 4 == 0) << i;
  }
}

// The helper falls asleep first. Work below two grains does not wake it, and the caller does not wait for it.
TEST(Workers, WakeNobodyForLessThanTwoGrains) {
  EXPECT_EQ(Workers::who(19, 10), Workers::Who::kAwake);
  EXPECT_EQ(Workers::who(20, 10), Workers::Who::kAll);
  Workers workers(2);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::set<std::thread::id> who;
  workers.for_ranges(19, 10, [&](std::int64_t, std::int64_t) { who.insert(std::this_thread::get_id()); });
  EXPECT_EQ(who, std::set{std::this_thread::get_id()});
}

// More threads than the machine has cores.
TEST(Workers, ThatShareCoresAreDoneToo) {
  Workers workers(2 * static_cast<int>(std::thread::hardware_concurrency()) + 1);
  for (std::int64_t call = 0; call < 200; ++call) {
    std::atomic<std::int64_t> sum = 0;
    workers.for_each(100, [&](std::int64_t i) { sum += i; });
    ASSERT_EQ(sum, 4950);
  }
}

TEST(Workers, MayBeMadeAndLeftIdle) {
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Workers(4).threads(), 4);
}

}  // namespace
}  // namespace tacit::mpc
