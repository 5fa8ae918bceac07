#include "net/rendezvous/loop.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "net/descriptor.h"
#include "net/error.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;

struct Sockets {
  Sockets() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw NetError("socketpair failed");
    a = Descriptor(ends[0]);
    b = Descriptor(ends[1]);
  }
  Descriptor a, b;
};

Clock::time_point in(std::chrono::milliseconds time) { return Clock::now() + time; }

TEST(Loop, WaitEndsAtItsDeadline) {
  Loop loop;
  const Sockets sockets;
  const auto begun = Clock::now();
  loop.run([](Loop& l, int fd) -> Task {
    Watch watch(l, fd);
    const bool in_time = co_await watch.readable(in(30ms));
    EXPECT_FALSE(in_time);
  }(loop, sockets.a.get()));
  EXPECT_GE(Clock::now() - begun, 30ms);
  EXPECT_LT(Clock::now() - begun, 5s);
}

TEST(Loop, WaitSeesWhatCameBeforeItAndWhatComesDuringIt) {
  Loop loop;
  const Sockets sockets;
  ASSERT_EQ(::send(sockets.b.get(), "x", 1, 0), 1);
  loop.run([](Loop& l, const Sockets& s) -> Task {
    Watch watch(l, s.a.get());
    for (int i = 0; i < 2; ++i) {  // unread data stays readable
      const bool in_time = co_await watch.readable(in(5s));
      EXPECT_TRUE(in_time);
    }
    char byte = 0;
    EXPECT_EQ(::recv(s.a.get(), &byte, 1, 0), 1);
    l.spawn([](Loop& l2, const Sockets& s2) -> Task {
      co_await l2.sleep_until(in(20ms));
      EXPECT_EQ(::send(s2.b.get(), "y", 1, 0), 1);
    }(l, s));
    const bool in_time = co_await watch.readable(in(5s));
    EXPECT_TRUE(in_time);
  }(loop, sockets));
}

TEST(Loop, DeadlineOfOneWaitLeavesTheOthersOfThatDescriptorAlone) {
  Loop loop;
  const Sockets sockets;
  bool read = false;
  loop.run([](Loop& l, const Sockets& s, bool& was_read) -> Task {
    Watch watch(l, s.a.get());
    const std::vector<char> much(1 << 20);
    while (::send(s.a.get(), much.data(), much.size(), MSG_DONTWAIT) > 0) {
    }
    l.spawn([](Watch& w, bool& r) -> Task { r = co_await w.readable(in(5s)); }(watch, was_read));
    const bool writable = co_await watch.writable(in(20ms));  // cancels both waits
    EXPECT_FALSE(writable);
    EXPECT_EQ(::send(s.b.get(), "x", 1, 0), 1);
    while (!was_read) co_await l.sleep_until(in(1ms));
  }(loop, sockets, read));
  EXPECT_TRUE(read);
}

TEST(Loop, EverybodyUnwindsWhenMainEnds) {
  struct Unwound {
    explicit Unwound(int& count) : count_(count) {}
    ~Unwound() { ++count_; }
    int& count_;
  };
  Loop loop;
  const Sockets sockets;
  int unwound = 0;
  loop.run([](Loop& l, const Sockets& s, int& count) -> Task {
    l.spawn([](Loop& l2, const Sockets& s2, int& count2) -> Task {
      const Unwound guard(count2);
      Watch watch(l2, s2.a.get());
      co_await watch.readable(kNever);
    }(l, s, count));
    l.spawn([](Loop& l2, int& count2) -> Task {
      const Unwound guard(count2);
      const std::function<bool()> never = [] { return false; };
      co_await l2.until(never, kNever);
    }(l, count));
    co_await l.sleep_until(in(5ms));
  }(loop, sockets, unwound));
  EXPECT_EQ(unwound, 2);
}

Task fail_twice(Loop& loop) {
  const auto fail = [](Loop& l, bool first) -> Task {
    const std::function<bool()> turn = [&l, first] { return first || l.failed(); };
    co_await l.until(turn, in(5s));
    if (first) throw ProtocolError("first");
    throw NetError("second");
  };
  loop.spawn(fail(loop, false));
  loop.spawn(fail(loop, true));
  const std::function<bool()> failed = [&loop] { return loop.failed(); };
  const bool noticed = co_await loop.until(failed, in(5s));
  EXPECT_TRUE(noticed);
  co_await loop.sleep_until(in(5ms));
  loop.rethrow_failure();
}

TEST(Loop, FirstFailureIsKeptAndIsNews) {
  Loop loop;
  EXPECT_THROW(loop.run(fail_twice(loop)), ProtocolError);
}

TEST(Loop, ConditionIsAskedAgainAfterNews) {
  Loop loop;
  int value = 0;
  loop.run([](Loop& l, int& v) -> Task {
    l.spawn([](Loop& l2, int& v2) -> Task {
      for (; v2 < 3; ++v2) {
        l2.notify();
        co_await l2.sleep_until(in(1ms));
      }
      l2.notify();
    }(l, v));
    const std::function<bool()> reached = [&v] { return v == 3; };
    const bool in_time = co_await l.until(reached, in(5s));
    EXPECT_TRUE(in_time);
  }(loop, value));
  EXPECT_EQ(value, 3);
}

TEST(Loop, StoppedReadersLetWritersBe) {
  Loop loop;
  const Sockets sockets;
  loop.run([](Loop& l, const Sockets& s) -> Task {
    Watch watch(l, s.a.get());
    bool stopped = false;
    l.spawn([](Watch& w, bool& st) -> Task {
      try {
        co_await w.readable(kNever);
      } catch (const Stopped&) {
        st = true;
      }
    }(watch, stopped));
    watch.stop_reading();
    const bool writable = co_await watch.writable(in(5s));
    EXPECT_TRUE(writable);
    EXPECT_TRUE(stopped);
  }(loop, sockets));
}

}  // namespace
}  // namespace tacit::net
