// Pump — moves the bytes of a set of lanes: in the background by a thread of its own, and by whoever waits.
//
// A thread that waits for a message drives the lanes itself: first it spins for a short time, if recent waits were
// short, then it sleeps in the poll. That saves a wake-up on every round (an I/O thread that wakes a waiting thread
// costs two), and MPC is rounds. The background thread keeps out of the way meanwhile, and takes over about a
// millisecond after the last wait, so that bytes move, and heartbeats leave, while the program computes.
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

  // Starts the background thread, which calls `tick` about every `interval` too.
  void start(std::function<void()> tick, std::chrono::milliseconds interval);
  void stop();

  // Returns when done() holds (true) or at `until` (false), and moves bytes meanwhile. `hint` is the lane on which the
  // awaited message comes, for the spin. done() must only read atomics; whoever changes them calls progress().
  bool wait(const std::function<bool()>& done, Clock::time_point until, Lane* hint);

  void progress();
  void revisit(Lane& lane);  // it has work that no poll announces

 private:
  bool spin(const std::function<bool()>& done, Lane* hint);
  bool sleep(const std::function<bool()>& done, Clock::time_point until);
  void drive(const std::function<bool()>& done, Clock::time_point until);
  void run_background(const std::function<void()>& tick, std::chrono::milliseconds interval);
  bool foreground_is_active() const;
  void park();
  void work_on(std::vector<Lane*>& ready);
  bool visit();  // the lanes that asked for it; true if some still have more to do

  // Whether spinning has paid lately: it has when the message came while the thread spun.
  bool worth_spinning();
  void learn(bool paid);

  const std::chrono::microseconds spin_;
  Poller background_poller_;
  Poller foreground_poller_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool driving_ = false;  // a waiting thread is in drive()
  bool stopping_ = false;
  std::atomic<int> followers_ = 0;  // threads that wait for the one in drive()
  std::atomic<bool> driver_asleep_ = false;
  std::atomic<int> foreground_ = 0;  // threads in wait()
  std::atomic<Clock::time_point> last_foreground_{Clock::time_point::min()};
  std::atomic<int> spin_credit_;  // 0: spinning does not pay here
  std::atomic<unsigned> waits_ = 0;

  std::mutex revisit_mutex_;
  std::vector<Lane*> to_revisit_;
  std::atomic<bool> any_to_revisit_ = false;

  std::thread thread_;
};

}  // namespace tacit::net
