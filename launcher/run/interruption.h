// Interruption — Ctrl-C, what a scheduler sends, and a terminal that is closed: SIGINT, SIGTERM and SIGHUP end a run in
// order.
//
// The first signal is told to the listener, in a thread of this class; the program has two seconds to unwind. A second
// signal, or the end of that time, ends the process, after its last words: these have kTimeForLastWords, because a full
// pipe or a disk that hangs may hold them up. Signals that this process was started to ignore (nohup, a shell's
// background jobs) stay ignored.
//
// While somebody has what held_back() gives, signals wait even when the Interruption is gone, and those that came are
// forgotten at its end: the sentence that says why a run ended is not cut short by what was to end it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "net/descriptor.h"

namespace tacit::launcher {

class Interruption {
 public:
  // In the main thread, before it starts others: they inherit that the signals are not for them. `last_words` are said
  // in another thread than the caller's, just before the process ends.
  explicit Interruption(std::function<void(int signal)> last_words = {});
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // Called at once if it has happened already; not any more when the next one, or none, takes its place.
  void tell(std::function<void()> listener);

  int signal() const { return signal_.load(); }  // the first; 0: none
  std::shared_ptr<const void> held_back() const { return blocked_; }
  static int exit_code(int signal) { return 128 + signal; }

  static constexpr std::chrono::milliseconds kTimeToUnwind{1800};
  static constexpr std::chrono::milliseconds kTimeForLastWords{1000};

 private:
  void watch();
  void say_last_words(int signal) const;
  int next_signal(std::chrono::milliseconds within) const;  // 0: none came, or the end of this object

  std::shared_ptr<const void> blocked_;  // in this thread and in all that it starts
  std::function<void(int)> last_words_;
  net::Descriptor signals_, over_;
  std::atomic<int> signal_ = 0;
  std::mutex mutex_;
  std::function<void()> listener_;
  std::thread thread_;
};

// "rank 1 was interrupted by its user": of a rank that such a signal ends.
std::string interrupted(int rank, int signal);

}  // namespace tacit::launcher
