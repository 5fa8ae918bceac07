#include "python/bindings/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace tacit::python {
namespace {

using namespace std::chrono_literals;

const Crew::Poll kQuiet = [] {};
const std::function<void()> kNeverGivesUp = [] { ADD_FAILURE() << "nobody waits"; };

TEST(Crew, RunsATaskOnEveryMemberAtTheSameTime) {
  Crew crew(4);
  std::barrier all(4);
  std::atomic<int> sum{0};
  for (int turn = 0; turn < 100; ++turn) {
    const Crew::Outcome outcome = crew.run(
        [&](int member) {
          all.arrive_and_wait();
          sum += member;
        },
        kQuiet, kNeverGivesUp);
    EXPECT_EQ(outcome.first, -1);
    EXPECT_EQ(outcome.errors, std::vector<std::exception_ptr>(4));
  }
  EXPECT_EQ(sum, 600);
}

TEST(Crew, ReturnsTheErrorOfEachMemberAndNamesTheFirst) {
  Crew crew(3);
  std::atomic<bool> thrown{false};
  const Crew::Outcome outcome = crew.run(
      [&](int member) {
        if (member == 1) return;
        while (member == 0 && !thrown) std::this_thread::yield();
        std::this_thread::sleep_for(member == 0 ? 50ms : 0ms);
        thrown = true;
        throw std::runtime_error("one of two");
      },
      kQuiet, kNeverGivesUp);
  EXPECT_EQ(outcome.first, 2);
  EXPECT_TRUE(outcome.errors[0] && !outcome.errors[1] && outcome.errors[2]);
}

TEST(Crew, AMemberThatWaitsAfterAnotherHasThrownIsGivenUp) {
  Crew crew(2);
  std::atomic<bool> given_up{false};
  const Crew::Outcome outcome = crew.run(
      [&](int member) {
        if (member == 1) throw std::runtime_error("it failed");
        while (!given_up) std::this_thread::sleep_for(1ms);
      },
      kQuiet, [&] { given_up = true; });
  EXPECT_TRUE(given_up);
  EXPECT_EQ(outcome.first, 1);
}

TEST(Crew, APollThatThrowsEndsTheCallAtOnceAndTheNextCallWaitsForTheTask) {
  Crew crew(2);
  std::atomic<bool> goes_on{true};
  const auto owned = std::make_shared<std::atomic<int>>(0);
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_THROW(crew.run(
                   [&goes_on, owned](int) {
                     while (goes_on) std::this_thread::sleep_for(1ms);
                     ++*owned;
                   },
                   [] { throw std::runtime_error("Ctrl-C"); }, kNeverGivesUp),
               std::runtime_error);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1s);
  EXPECT_EQ(*owned, 0);
  std::thread later([&] {
    std::this_thread::sleep_for(50ms);
    goes_on = false;
  });
  crew.run([owned](int) { EXPECT_EQ(*owned, 2); }, kQuiet, kNeverGivesUp);
  later.join();
}

TEST(Crew, StopWaitsForATaskOfAnInterruptedCaller) {
  std::atomic<bool> goes_on{true};
  std::atomic<int> ended{0};
  Crew crew(2);
  EXPECT_THROW(crew.run(
                   [&](int) {
                     while (goes_on) std::this_thread::sleep_for(1ms);
                     ++ended;
                   },
                   [] { throw std::runtime_error("Ctrl-C"); }, kNeverGivesUp),
               std::runtime_error);
  goes_on = false;
  crew.stop();
  EXPECT_EQ(ended, 2);
  crew.stop();
}

}  // namespace
}  // namespace tacit::python
