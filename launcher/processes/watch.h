// Watch — children that belong together, run to their ends by one thread in one loop: their lines are told one by one,
// when one fails the others have a moment to end by themselves and are ended then, and a SIGINT, SIGTERM or SIGHUP to
// this process ends them all.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "launcher/processes/child.h"
#include "launcher/processes/console.h"
#include "launcher/processes/signals.h"

namespace tacit::launcher {

// Between SIGTERM and SIGKILL.
inline constexpr std::chrono::milliseconds kGrace{2000};

// Between the first that fails and SIGTERM to the others: they hear of it from each other, and what they say of it
// then, and end with, is worth more than what a signal leaves.
inline constexpr std::chrono::milliseconds kTimeToFollow{1500};

class Watch {
 public:
  // `child` counts from 0, in the order in which they were started.
  using OnLine = std::function<void(int child, std::string_view line)>;

  struct Outcome {
    std::vector<End> ends;    // by child
    std::vector<int> failed;  // by themselves, before we ended any, in the order in which they did
    int interrupted = 0;      // the signal that was sent to us

    bool well() const { return failed.empty() && interrupted == 0; }
  };

  // Both must outlive it. The console's lines are written while it runs, and its children are not read from faster
  // than these go.
  Watch(EndSignals& signals, Console& console, OnLine on_line);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void start(const Command& command);
  // When no child has written for this long, run() ends all of them and counts those that still ran as failed.
  void limit_silence(std::chrono::seconds longest) { longest_silence_ = longest; }
  Outcome run();

 private:
  struct Watched {
    Child child;
    std::optional<End> end;
  };
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> next_step() const;  // when we end or kill those that still run
  bool all_ended() const;
  int timeout() const;
  void wait_and_read();
  void collect();
  void take_signal();
  void end_all();  // SIGTERM now; kill_all() when the grace is over
  void kill_all();
  void end_silent();

  EndSignals& signals_;
  Console& console_;
  OnLine on_line_;
  std::vector<Watched> children_;
  Outcome outcome_;
  bool ending_ = false, killed_ = false;
  Clock::time_point end_at_, kill_at_;
  std::optional<std::chrono::seconds> longest_silence_;
  Clock::time_point heard_at_;
};

}  // namespace tacit::launcher
