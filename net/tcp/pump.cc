#include "net/tcp/pump.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

#include "net/thread.h"

namespace tacit::net {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds kLinger{1};    // from the last wait until the background thread takes over
constexpr milliseconds kLongPark{5};  // while a thread waits in the foreground
constexpr unsigned kTryAgain = 64;    // one of 64 waits spins even if spinning has not paid
constexpr int kMostCredit = 16;
constexpr microseconds kContended{4};  // a longer yield means that another thread has run

}  // namespace

Pump::Pump(microseconds spin) : spin_(spin), spin_credit_(kMostCredit) {}

void Pump::start(std::function<void()> tick, milliseconds interval) {
  thread_ = start_thread("moves bytes", [this, tick = std::move(tick), interval] { run_background(tick, interval); });
}

void Pump::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  background_poller_.wake();
  if (thread_.joinable()) thread_.join();
}

bool Pump::wait(const std::function<bool()>& done, Clock::time_point until, Lane* hint) {
  if (done()) return true;
  foreground_.fetch_add(1);
  const bool finished = spin(done, hint) || sleep(done, until);
  last_foreground_.store(Clock::now());
  foreground_.fetch_sub(1);
  return finished;
}

bool Pump::worth_spinning() {
  if (spin_.count() == 0) return false;
  return spin_credit_.load(std::memory_order_relaxed) > 0 ||
         waits_.fetch_add(1, std::memory_order_relaxed) % kTryAgain == 0;
}

void Pump::learn(bool paid) {
  const int credit = spin_credit_.load(std::memory_order_relaxed);
  spin_credit_.store(std::clamp(credit + (paid ? 2 : -1), 0, kMostCredit), std::memory_order_relaxed);
}

// One look at the lane is cheap and always worthwhile. Each further turn offers the core to other
// threads: a peer on this machine may need it to answer. If another thread takes the core,
// the machine has more threads than cores, and sleeping helps more than spinning.
bool Pump::spin(const std::function<bool()>& done, Lane* hint) {
  if (hint == nullptr) return false;
  bool more = hint->try_work();
  bool finished = done();
  if (!finished && worth_spinning()) {
    const Clock::time_point until = Clock::now() + spin_;
    Clock::time_point before = Clock::now();
    bool contended = false;
    while (!finished && !contended && before < until) {
      if (!more) ::sched_yield();
      contended = !more && Clock::now() - before > kContended;
      more = hint->try_work();
      finished = done();
      before = Clock::now();
    }
    learn(finished);
  }
  if (more) revisit(*hint);
  return finished;
}

bool Pump::sleep(const std::function<bool()>& done, Clock::time_point until) {
  std::unique_lock lock(mutex_);
  while (!done()) {
    if (Clock::now() >= until) return false;
    if (!driving_) {
      driving_ = true;
      lock.unlock();
      drive(done, until);
      lock.lock();
      driving_ = false;
      if (followers_.load() > 0) changed_.notify_all();
      continue;
    }
    followers_.fetch_add(1);
    if (!done()) changed_.wait_until(lock, until);
    followers_.fetch_sub(1);
  }
  return true;
}

// Sets `driver_asleep_` before the last call of done(). progress() reads it after done() has become
// true. Therefore either this thread sees done(), or progress() wakes it.
void Pump::drive(const std::function<bool()>& done, Clock::time_point until) {
  std::vector<Lane*> ready;
  while (true) {
    const bool more = visit();
    driver_asleep_.store(true);
    const Clock::time_point now = Clock::now();
    if (done() || now >= until) break;
    foreground_poller_.wait(more ? std::chrono::nanoseconds(0) : until - now, ready);
    driver_asleep_.store(false);
    work_on(ready);
  }
  driver_asleep_.store(false);
}

void Pump::work_on(std::vector<Lane*>& ready) {
  for (Lane* lane : ready) {
    if (lane->work()) revisit(*lane);
  }
}

bool Pump::visit() {
  if (!any_to_revisit_.load()) return false;
  std::vector<Lane*> lanes;
  {
    const std::lock_guard lock(revisit_mutex_);
    lanes.swap(to_revisit_);
    any_to_revisit_.store(false);
  }
  work_on(lanes);
  return any_to_revisit_.load();
}

void Pump::revisit(Lane& lane) {
  {
    const std::lock_guard lock(revisit_mutex_);
    if (std::find(to_revisit_.begin(), to_revisit_.end(), &lane) == to_revisit_.end()) to_revisit_.push_back(&lane);
    any_to_revisit_.store(true);
  }
  if (driver_asleep_.load()) foreground_poller_.wake();
  if (foreground_.load() == 0) background_poller_.wake();
}

void Pump::progress() {
  if (driver_asleep_.load()) foreground_poller_.wake();
  if (followers_.load() > 0) {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
}

bool Pump::foreground_is_active() const {
  return foreground_.load() > 0 || Clock::now() < last_foreground_.load() + kLinger;
}

void Pump::park() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, foreground_.load() > 0 ? kLongPark : kLinger, [this] { return stopping_; });
}

void Pump::run_background(const std::function<void()>& tick, milliseconds interval) {
  ::pthread_setname_np(::pthread_self(), "tacit-pump");
  std::vector<Lane*> ready;
  Clock::time_point next_tick = Clock::now() + interval;
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
    }
    // A spinning thread looks at one lane only. The background thread therefore visits all lanes
    // now and then, so that heartbeats are heard and other messages move.
    const bool active = foreground_is_active();
    if (active) park();
    const bool more = visit();
    background_poller_.wait(active || more ? std::chrono::nanoseconds(0) : next_tick - Clock::now(), ready);
    work_on(ready);
    if (Clock::now() >= next_tick) {
      tick();
      next_tick = Clock::now() + interval;
    }
  }
}

}  // namespace tacit::net
