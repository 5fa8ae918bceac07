// Watch — runs related child processes to their ends, by one thread in one loop, and passes on
// their lines. After the failure of one child, the others get a moment to end by themselves and are
// then ended. A SIGINT, SIGTERM or SIGHUP to this process ends all children.
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

// Time between SIGTERM and SIGKILL.
inline constexpr std::chrono::milliseconds kGrace{2000};

// More time for a child with an open input: this child is ssh, and the far end has the same grace for its own child.
inline constexpr std::chrono::milliseconds kGraceForInput{1500};

// Time between the first failure and SIGTERM to the others. The others learn of the failure from
// each other, and their own errors and exit codes are more useful than the effects of a signal.
inline constexpr std::chrono::milliseconds kTimeToFollow{1500};

class Watch {
 public:
  // `child` counts from 0, in the order of the starts.
  using OnLine = std::function<void(int child, std::string_view line)>;

  struct Outcome {
    std::vector<End> ends;    // by child
    std::vector<int> failed;  // by themselves, before we ended any child, in this order
    int interrupted = 0;      // the signal to this process; 0: none
    bool silent = false;      // limit_silence() ended the children

    bool well() const { return failed.empty() && interrupted == 0; }
  };

  // Both must outlive it. The console's lines are written while it runs, and its children are not read from faster
  // than these go.
  Watch(EndSignals& signals, Console& console, OnLine on_line);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void start(const Command& command);
  // If no child writes for this long, run() ends all children and counts the running ones as
  // failed.
  void limit_silence(std::chrono::seconds longest) { longest_silence_ = longest; }
  // Sets the time between SIGTERM and SIGKILL, by default kGrace.
  void set_grace(std::chrono::milliseconds grace) { grace_ = grace; }
  Outcome run();

 private:
  struct Watched {
    Child child;
    std::optional<End> end;
  };
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> next_step() const;  // next time to end or kill children
  bool all_ended() const;
  int timeout() const;
  void wait_and_read();
  void collect();
  void take_signal();
  void end_all();  // the end of an open input, or SIGTERM, now; and kill_all() after the grace
  void kill_all();
  void end_silent();

  EndSignals& signals_;
  Console& console_;
  OnLine on_line_;
  std::vector<Watched> children_;
  Outcome outcome_;
  bool ending_ = false, killed_ = false;
  std::chrono::milliseconds grace_ = kGrace;
  Clock::time_point end_at_, kill_at_;
  std::optional<std::chrono::seconds> longest_silence_;
  Clock::time_point heard_at_;
};

}  // namespace tacit::launcher
