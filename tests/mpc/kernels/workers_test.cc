#include "mpc/kernels/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace tacit::mpc {
namespace {

class WorkersOf : public testing::TestWithParam<int> {
 protected:
  Workers workers_{GetParam()};
};

TEST_P(WorkersOf, AreAsManyAsAskedFor) { EXPECT_EQ(workers_.threads(), GetParam()); }

TEST_P(WorkersOf, DoEveryPieceOnce) {
  for (const std::int64_t count : {0, 1, 2, 3, 7, 100}) {
    std::vector<int> done(static_cast<std::size_t>(count));  // not atomic: each element belongs to one thread
    workers_.for_each(count, [&](std::int64_t i) { ++done[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(done, std::vector<int>(done.size(), 1));
  }
}

TEST_P(WorkersOf, AreDoneWhenTheCallReturns) {
  std::vector<std::int64_t> values(5);
  for (std::int64_t call = 0; call < 2000; ++call) {  // helpers that wake late find a later call
    workers_.for_each(std::ssize(values), [&](std::int64_t i) { values[static_cast<std::size_t>(i)] = call; });
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), std::int64_t{0}), call * std::ssize(values));
  }
}

TEST_P(WorkersOf, CoverARangeWithoutGapsOrOverlaps) {
  for (const std::int64_t count : {0, 1, 9, 10, 19, 20, 21, 1001}) {
    std::vector<int> done(static_cast<std::size_t>(count));
    workers_.for_ranges(count, 10, [&](std::int64_t begin, std::int64_t end) {
      EXPECT_TRUE(end - begin >= 10 || count < 10);
      for (std::int64_t i = begin; i < end; ++i) ++done[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(done, std::vector<int>(done.size(), 1));
  }
}

TEST_P(WorkersOf, LeaveWhatIsTooLittleToShareToTheCaller) {
  std::set<std::thread::id> who;
  workers_.for_ranges(19, 10, [&](std::int64_t, std::int64_t) { who.insert(std::this_thread::get_id()); });
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

TEST(Workers, MayBeMadeAndLeftIdle) {
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Workers(4).threads(), 4);
}

}  // namespace
}  // namespace tacit::mpc
