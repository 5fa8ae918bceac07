#include "launcher/run/interruption.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <cstdio>

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;

void wait_for(const std::atomic<bool>& flag) {
  for (int i = 0; i < 2000 && !flag; ++i) std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(flag);
}

TEST(Interruption, TellsItsListenerAndLetsTheProgramUnwind) {
  std::atomic<bool> told = false, told_late = false;
  Interruption interruption([](int) { FAIL() << "there was time"; });
  EXPECT_EQ(interruption.signal(), 0);
  interruption.tell([&] { told = true; });
  ::kill(::getpid(), SIGTERM);
  wait_for(told);
  EXPECT_EQ(interruption.signal(), SIGTERM);
  interruption.tell([&] { told_late = true; });
  EXPECT_TRUE(told_late);
}

TEST(Interruption, LetsAListenerTakeMoreTime) {
  std::atomic<bool> told = false;
  Interruption interruption([](int) { FAIL() << "there was time"; });
  interruption.tell([&] {
    interruption.allow(1min);
    told = true;
  });
  ::kill(::getpid(), SIGTERM);
  wait_for(told);
  std::this_thread::sleep_for(Interruption::kTimeToUnwind + 500ms);
}

TEST(Interruption, LeavesSignalsThatAreIgnored) {
  ::signal(SIGINT, SIG_IGN);
  std::atomic<bool> told = false;
  {
    Interruption interruption;
    interruption.tell([&] { told = true; });
    ::kill(::getpid(), SIGINT);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(interruption.signal(), 0);
  }
  ::signal(SIGINT, SIG_DFL);
  EXPECT_FALSE(told);
}

// A signal arrives between the end of a run and the end of its report.
TEST(Interruption, HoldsSignalsBackUntilTheSentenceIsOut) {
  std::shared_ptr<const void> held;
  {
    const Interruption interruption;
    held = interruption.held_back();
  }
  ::kill(::getpid(), SIGTERM);
  held.reset();
  sigset_t left;
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &left), 0);
  EXPECT_FALSE(sigismember(&left, SIGTERM)) << "the next signal reaches a later handler";
}

class Deadly : public testing::Test {
 protected:
  Deadly() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  static void hang(int signals) {
    std::atomic<bool> told = false;
    Interruption interruption([](int) { std::fputs("last words", stderr); });
    interruption.tell([&] { told = true; });
    ::kill(::getpid(), SIGINT);
    wait_for(told);
    if (signals == 2) ::kill(::getpid(), SIGINT);
    std::this_thread::sleep_for(1h);
  }
};

TEST_F(Deadly, ASecondSignalEndsTheProcessAtOnce) {
  auto took = std::chrono::steady_clock::duration::max();
  for (int tries = 0; tries < 10 && took >= Interruption::kTimeToUnwind; ++tries) {  // a busy machine may need some
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EXIT(hang(2), testing::ExitedWithCode(130), "last words");
    took = std::chrono::steady_clock::now() - begun;
  }
  EXPECT_LT(took, Interruption::kTimeToUnwind);
}

TEST_F(Deadly, AProgramThatDoesNotUnwindIsEnded) { EXPECT_EXIT(hang(1), testing::ExitedWithCode(130), "last words"); }

}  // namespace
}  // namespace tacit::launcher
