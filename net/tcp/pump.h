// Pump moves the bytes of a set of lanes: in a background thread of its own, and in each thread that
// waits for a message.
//
// A waiting thread drives the lanes itself. The thread first spins for a short time if recent waits
// were short, then sleeps in the poll. This saves a wake-up in every round: a separate I/O thread
// costs two wake-ups, and secure computation consists of many rounds. The background thread pauses
// meanwhile, and takes over about a millisecond after the last wait, so that bytes and heartbeats
// move while the program computes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "net/tcp/lane.h"
#include "net/tcp/poller.h"

namespace tacit::net {

class Pump {
 public:
  explicit Pump(std::chrono::microseconds spin);
  ~Pump() { stop(); }
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  // The pollers that its lanes are to be attached to.
  std::vector<Poller*> pollers() { return {&background_poller_, &foreground_poller_}; }

  // Starts the background thread, which also calls `tick` about once per `interval`.
  void start(std::function<void()> tick, std::chrono::milliseconds interval);
  void stop();

  // Moves bytes until done() holds (returns true) or until `until` (returns false). `hint` is the
  // lane of the awaited message, for the spin. done() must only read atomics. A thread that changes
  // them must call progress().
  bool wait(const std::function<bool()>& done, Clock::time_point until, Lane* hint);

  void progress();
  void revisit(Lane& lane);  // the lane has work that no poll announces

 private:
  bool spin(const std::function<bool()>& done, Lane* hint);
  bool sleep(const std::function<bool()>& done, Clock::time_point until);
  void drive(const std::function<bool()>& done, Clock::time_point until);
  void run_background(const std::function<void()>& tick, std::chrono::milliseconds interval);
  bool foreground_is_active() const;
  void park();
  void work_on(std::vector<Lane*>& ready);
  bool visit();  // works on the lanes of revisit(); true if some have more work

  // True if spinning has paid lately: the message arrived during the spin.
  bool worth_spinning();
  void learn(bool paid);

  const std::chrono::microseconds spin_;
  Poller background_poller_;
  Poller foreground_poller_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool driving_ = false;  // a waiting thread is in drive()
  bool stopping_ = false;
  std::atomic<int> followers_ = 0;  // threads that wait for the thread in drive()
  std::atomic<bool> driver_asleep_ = false;
  std::atomic<int> foreground_ = 0;  // threads in wait()
  std::atomic<Clock::time_point> last_foreground_{Clock::time_point::min()};
  std::atomic<int> spin_credit_;  // 0: spinning does not pay
  std::atomic<unsigned> waits_ = 0;

  std::mutex revisit_mutex_;
  std::vector<Lane*> to_revisit_;
  std::atomic<bool> any_to_revisit_ = false;

  std::thread thread_;
};

}  // namespace tacit::net
