// Interruption — ends a run in order after SIGINT (Ctrl-C), SIGTERM (a scheduler) or SIGHUP (a
// closed terminal).
//
// The first signal calls the listener, in a thread of this class, and the program has two seconds
// to unwind, or as long as the listener says. A second signal, or the end of that time, prints the
// last words and ends the process.
// The last words have kTimeForLastWords, since a full pipe or a hanging disk may block them. A
// signal that this process was started to ignore (by nohup, or in the background of a shell) stays
// ignored.
//
// Signals stay blocked while anyone holds the result of held_back(), even after the Interruption is
// gone. Signals that arrive meanwhile are discarded at the end. A second signal therefore cannot
// cut the sentence that explains why the run ended.
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
  // Construct in the main thread before it starts other threads, so that all threads inherit the blocked signals.
  // `last_words` is called in a thread of its own, just before the process ends.
  explicit Interruption(std::function<void(int signal)> last_words = {});
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // Sets the listener, which replaces the previous one; an empty one removes it. A signal that has
  // come already calls the new listener at once.
  void tell(std::function<void()> listener);
  // Called by the listener, for work that takes longer than kTimeToUnwind.
  void allow(std::chrono::milliseconds time_to_unwind) { time_to_unwind_ = time_to_unwind; }

  int signal() const { return signal_.load(); }  // the first one; 0: none
  std::shared_ptr<const void> held_back() const { return blocked_; }
  static int exit_code(int signal) { return 128 + signal; }

  static constexpr std::chrono::milliseconds kTimeToUnwind{1800};
  static constexpr std::chrono::milliseconds kTimeForLastWords{1000};

 private:
  void watch();
  void say_last_words(int signal) const;
  int next_signal(std::chrono::milliseconds within) const;  // 0: timed out, or this object ends

  std::shared_ptr<const void> blocked_;  // in this thread and in all threads that it starts
  std::function<void(int)> last_words_;
  net::Descriptor signals_, over_;
  std::atomic<int> signal_ = 0;
  std::atomic<std::chrono::milliseconds> time_to_unwind_ = kTimeToUnwind;
  std::mutex mutex_;
  std::function<void()> listener_;
  std::thread thread_;
};

// "rank 1 was interrupted by its user": the sentence for a rank that a signal ended.
std::string interrupted(int rank, int signal);

}  // namespace tacit::launcher
