// A fiber's function pauses and goes on, its errors leave resume(), and the end of a fiber runs the destructors of its function.
#include "mpc/ot/fiber.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tacit::mpc {
namespace {

// Writes to a log when it ends.
struct Local {
  Local(std::string its_name, std::string& its_log) : name(std::move(its_name)), log(its_log) {}
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  ~Local() { log += "~" + name + " "; }

  std::string name;
  std::string& log;
};

TEST(Fiber, GoesOnWhereItHasPaused) {
  std::string log;
  Fiber* self = nullptr;
  Fiber fiber([&] {
    for (int i = 0; i < 3; ++i) {
      log += std::to_string(i) + " ";
      self->pause();
    }
    log += "end ";
  });
  self = &fiber;
  while (!fiber.ended()) {
    fiber.resume();
    log += "out ";
  }
  EXPECT_EQ(log, "0 out 1 out 2 out end out ");
}

TEST(Fiber, ManyTakeTurns) {
  std::string log;
  std::vector<std::unique_ptr<Fiber>> fibers;
  for (int f = 0; f < 3; ++f) {
    fibers.push_back(std::make_unique<Fiber>([&log, &fibers, f] {
      const Local local(std::to_string(f), log);
      for (int i = 0; i < 2; ++i) {
        log += std::to_string(f);
        fibers[static_cast<std::size_t>(f)]->pause();
      }
    }));
  }
  for (int round = 0; round < 3; ++round) {
    for (const auto& fiber : fibers) fiber->resume();
  }
  EXPECT_EQ(log, "012012~0 ~1 ~2 ");
}

TEST(Fiber, AnErrorLeavesResume) {
  std::string log;
  Fiber* self = nullptr;
  Fiber fiber([&] {
    const Local local("local", log);
    self->pause();
    throw std::runtime_error("of the function");
  });
  self = &fiber;
  fiber.resume();
  try {
    fiber.resume();
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("of the function"));
  }
  EXPECT_TRUE(fiber.ended());
  EXPECT_EQ(log, "~local ");
}

TEST(Fiber, ItsEndRunsTheDestructorsOfItsFunction) {
  std::string log;
  {
    Fiber* self = nullptr;
    Fiber fiber([&] {
      const Local outer("outer", log);
      const auto deep = [&] {
        const Local inner("inner", log);
        self->pause();
        log += "never ";
      };
      deep();
    });
    self = &fiber;
    fiber.resume();
    log += "paused ";
  }
  EXPECT_EQ(log, "paused ~inner ~outer ");
}

TEST(Fiber, ItsEndInTheCourseOfAnErrorKeepsTheError) {
  std::string log;
  try {
    Fiber* self = nullptr;
    Fiber fiber([&] {
      const Local local("local", log);
      self->pause();
    });
    self = &fiber;
    fiber.resume();
    throw std::runtime_error("outside");
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("outside"));
  }
  EXPECT_EQ(log, "~local ");
}

TEST(Fiber, AFunctionThatCatchesEverythingEndsToo) {
  int pauses = 0;
  {
    Fiber* self = nullptr;
    Fiber fiber([&] {
      for (int i = 0; i < 3; ++i) {
        try {
          self->pause();
        } catch (...) {
          ++pauses;
        }
      }
    });
    self = &fiber;
    fiber.resume();
  }
  EXPECT_EQ(pauses, 3);
}

TEST(Fiber, OneThatHasNotBegunEndsWithoutItsFunction) {
  bool ran = false;
  {
    const Fiber fiber([&] { ran = true; });
  }
  EXPECT_FALSE(ran);
}

// Fills `kilobytes` of the stack in small frames.
int fill(int kilobytes, Fiber& fiber) {
  std::array<volatile char, 1024> frame;
  for (volatile char& byte : frame) byte = static_cast<char>(kilobytes);
  if (kilobytes == 1) {
    fiber.pause();
    return frame[1000];
  }
  return fill(kilobytes - 1, fiber) + (frame[7] == static_cast<char>(kilobytes) ? 1 : 0);
}

TEST(Fiber, HasRoomForDeepCalls) {
  int result = 0;
  Fiber* self = nullptr;
  Fiber fiber([&] { result = fill(128, *self); });
  self = &fiber;
  fiber.resume();
  fiber.resume();
  EXPECT_TRUE(fiber.ended());
  EXPECT_EQ(result, 128);
}

}  // namespace
}  // namespace tacit::mpc
