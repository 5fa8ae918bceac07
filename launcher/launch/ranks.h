// The ranks of a job as processes: started together, watched, and started again from their checkpoints where that may
// help.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/processes/watch.h"
#include "net/error.h"

namespace tacit::launcher {

constexpr int kNotFound = 127;  // exit code of a shell, and of our child process, when the program does not exist

// Whose lines are said. A rank that failed is heard in any case.
enum class Shown { kAll, kFirst, kNone };

struct Ranks {
  std::function<Command(int rank, bool again)> command;  // `again`: a restart
  int count = 0;
  int restarts = 0;  // at most so many times
  Shown shown = Shown::kAll;
};

struct RanksEnded {
  Watch::Outcome outcome;  // of the last time
  int restarts = 0;

  // What the launcher ends with: that of the rank that was the cause. A rank that was killed is a peer that was lost.
  Exit exit() const;
  // "": all is well. `to_go_on` is said where the same command may come further.
  std::string sentence(std::string_view to_go_on = "") const;
};

// What a rank is told of --resume and --afresh, where the launch was told this. A restart goes on with what the first
// time began; how far that had come when it ended, ranks that begin afresh know by the launch's name.
std::vector<std::string> starting(const std::vector<std::string>& start, bool again);

// Their lines are said as "rank 1 | epoch 5".
RanksEnded run(const Ranks& ranks, EndSignals& signals, Console& console);

}  // namespace tacit::launcher
