// Loop — runs the coroutines of one rendezvous in the calling thread. Every wait of theirs has a deadline.
//
// Descriptors stay with their owners (a Descriptor, a Wire). A Watch only waits for one, and must go before it.
// When the main coroutine ends, every wait of the others, now and later, throws Stopped; they unwind, and run()
// returns. So nothing is ever destroyed while it waits.
//
// What is passed to a coroutine is a named object, or what a function returned: g++ 12 destroys other temporaries of a
// co_await expression twice (aggregates in braces, converted texts).
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

// Thrown by a wait that nobody needs any more. Not an error, and not a std::exception: nobody should report it.
struct Stopped {};

class Loop {
 public:
  Loop();

  // Runs until `main` and then all others have ended. Throws what `main` throws.
  void run(Task main);

  // Starts a coroutine beside main. What it throws fails the loop.
  void spawn(Task task);

  // The first failure is kept for whoever asks, and is news.
  void fail(std::exception_ptr error);
  void rethrow_failure();
  bool failed() const { return failure_ != nullptr; }

  // Something has changed: every until() looks at its condition again.
  void notify() { news_.cancel(); }

  // Waits until the condition holds. False if the deadline passed first.
  Awaitable<bool> until(std::function<bool()> condition, Clock::time_point deadline);
  Task sleep_until(Clock::time_point time);

  bool stopped() const { return stopped_; }

 private:
  friend class Watch;

  // A wait under way. It is on the list until its deadline has passed or it is over.
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
  boost::asio::steady_timer news_{io_, kNever};  // never expires: it is cancelled to wake up who waits
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

  // True when the descriptor can be read or written (or has failed); false if the deadline passed first.
  Awaitable<bool> readable(Clock::time_point deadline);
  Awaitable<bool> writable(Clock::time_point deadline);

  // Waits for reading, now and later, throw Stopped.
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
