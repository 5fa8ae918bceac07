// Loop runs the coroutines of one rendezvous in the calling thread. Every wait has a deadline.
//
// A descriptor stays with its owner (a Descriptor or a Wire). A Watch only waits for the
// descriptor, and must be destroyed before the owner. When the main coroutine ends, all present and
// future waits of the other coroutines throw Stopped. The coroutines unwind, and run() returns. No
// object is therefore destroyed during a wait.
//
// Pass only named objects and function results to a coroutine. g++ 12 destroys other temporaries of
// a co_await expression twice: aggregates in braces, and converted strings.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <functional>
#include <map>

#include "net/channel.h"

namespace tacit::net {

template <typename T>
using Awaitable = boost::asio::awaitable<T>;
using Task = Awaitable<void>;

inline constexpr Clock::time_point kNever = Clock::time_point::max();

// Thrown by a wait that was cancelled. Stopped is not an error to report, and therefore not a
// std::exception.
struct Stopped {};

class Loop {
 public:
  Loop();

  // Runs until `main` and then all other coroutines have ended. Throws the exception of `main`.
  void run(Task main);

  // Starts a coroutine beside `main`. An exception from it fails the loop.
  void spawn(Task task);

  // Records the first failure for rethrow_failure(), and wakes all until().
  void fail(std::exception_ptr error);
  void rethrow_failure();
  bool failed() const { return failure_ != nullptr; }

  // Makes every until() evaluate its condition again. Call this after a change of state.
  void notify() { news_.cancel(); }

  // Waits until the condition holds. Returns false if the deadline passes first.
  Awaitable<bool> until(std::function<bool()> condition, Clock::time_point deadline);
  Task sleep_until(Clock::time_point time);

  bool stopped() const { return stopped_; }

 private:
  friend class Watch;

  // A wait in progress, in `waits_` until its deadline passes or the wait ends.
  class Wait {
   public:
    Wait(Loop& loop, Clock::time_point deadline, std::function<void()> cancel);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    friend class Loop;
    Loop& loop_;
    std::function<void()> cancel_;
    bool listed_ = true;
    std::multimap<Clock::time_point, Wait*>::iterator place_;
  };

  void cancel_waits_until(Clock::time_point time);
  void stop();

  boost::asio::io_context io_{1};
  boost::asio::steady_timer news_{io_, kNever};  // never expires; a cancel wakes the waiting coroutines
  std::multimap<Clock::time_point, Wait*> waits_;
  std::exception_ptr failure_;
  bool stopped_ = false;
};

class Watch {
 public:
  Watch(Loop& loop, int fd);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Returns true when the descriptor is readable or writable, or has failed. Returns false if the
  // deadline passes first.
  Awaitable<bool> readable(Clock::time_point deadline);
  Awaitable<bool> writable(Clock::time_point deadline);

  // Makes all present and future readable() throw Stopped.
  void stop_reading();
  bool reading_stopped() const { return reading_stopped_; }

 private:
  using Descriptor = boost::asio::posix::stream_descriptor;
  Awaitable<bool> wait(Descriptor::wait_type type, Clock::time_point deadline);

  Loop& loop_;
  Descriptor borrowed_;
  bool reading_stopped_ = false;
};

}  // namespace tacit::net
