#include "net/rendezvous/loop.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "net/error.h"

namespace tacit::net {

namespace asio = boost::asio;

Loop::Loop() = default;

void Loop::run(Task main) {
  std::exception_ptr error;
  asio::co_spawn(io_, std::move(main), [this, &error](std::exception_ptr thrown) {
    error = thrown;
    stop();
  });
  while (!io_.stopped()) {
    io_.run_one_until(waits_.empty() ? kNever : waits_.begin()->first);
    cancel_waits_until(Clock::now());
  }
  if (error) std::rethrow_exception(error);
}

void Loop::spawn(Task task) {
  asio::co_spawn(io_, std::move(task), [this](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(thrown);
    } catch (const Stopped&) {
    } catch (...) {
      fail(thrown);
    }
  });
}

void Loop::fail(std::exception_ptr error) {
  if (!failure_) failure_ = std::move(error);
  notify();
}

void Loop::rethrow_failure() {
  if (failure_) std::rethrow_exception(failure_);
}

Awaitable<bool> Loop::until(std::function<bool()> condition, Clock::time_point deadline) {
  while (true) {
    if (stopped_) throw Stopped{};
    if (condition()) co_return true;
    if (Clock::now() >= deadline) co_return false;
    const Wait wait(*this, deadline, [this] { news_.cancel(); });
    boost::system::error_code cancelled;
    co_await news_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
}

Task Loop::sleep_until(Clock::time_point time) {
  const std::function<bool()> never = [] { return false; };
  co_await until(never, time);
}

void Loop::cancel_waits_until(Clock::time_point time) {
  while (!waits_.empty() && waits_.begin()->first <= time) {
    Wait& wait = *waits_.begin()->second;
    wait.listed_ = false;
    waits_.erase(waits_.begin());
    wait.cancel_();
  }
}

void Loop::stop() {
  stopped_ = true;
  cancel_waits_until(kNever);
}

Loop::Wait::Wait(Loop& loop, Clock::time_point deadline, std::function<void()> cancel)
    : loop_(loop), cancel_(std::move(cancel)), place_(loop.waits_.emplace(deadline, this)) {}

Loop::Wait::~Wait() {
  if (listed_) loop_.waits_.erase(place_);
}

Watch::Watch(Loop& loop, int fd) : loop_(loop), borrowed_(loop.io_, fd) {}

Watch::~Watch() { borrowed_.release(); }

Awaitable<bool> Watch::readable(Clock::time_point deadline) { return wait(Descriptor::wait_read, deadline); }
Awaitable<bool> Watch::writable(Clock::time_point deadline) { return wait(Descriptor::wait_write, deadline); }

void Watch::stop_reading() {
  reading_stopped_ = true;
  borrowed_.cancel();
}

// One cancel ends the waits for reading and for writing. A wait that was not meant starts again.
Awaitable<bool> Watch::wait(Descriptor::wait_type type, Clock::time_point deadline) {
  while (true) {
    if (loop_.stopped_ || (reading_stopped_ && type == Descriptor::wait_read)) throw Stopped{};
    if (Clock::now() >= deadline) co_return false;
    boost::system::error_code error;
    {
      const Loop::Wait wait(loop_, deadline, [this] { borrowed_.cancel(); });
      co_await borrowed_.async_wait(type, asio::redirect_error(asio::use_awaitable, error));
    }
    if (!error) co_return true;
    if (error != asio::error::operation_aborted) throw NetError("cannot wait for a connection: " + error.message());
  }
}

}  // namespace tacit::net
