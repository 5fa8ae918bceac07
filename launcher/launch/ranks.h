// The ranks of a job as processes: started together, watched, and started again from their checkpoints where that may
// help.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launcher/processes/watch.h"
#include "net/error.h"

namespace tacit::launcher {

struct Ranks {
  std::function<Command(int rank, bool again)> command;  // `again`: a restart
  int count = 0;
  int restarts = 0;    // at most so many times
  bool quiet = false;  // only rank 0 is shown, and a rank that failed
};

struct RanksEnded {
  Watch::Outcome outcome;  // of the last time
  int restarts = 0;

  // What the launcher ends with: that of the first rank that failed. A rank that was killed is a peer that was lost.
  Exit exit() const;
  std::string sentence() const;  // "": all is well
};

// Their lines are said as "rank 1 | epoch 5".
RanksEnded run(const Ranks& ranks, Keeper& keeper, EndSignals& signals, Console& console);

}  // namespace tacit::launcher
