// run — starts the ranks of a job as processes, watches them, and restarts them from their
// checkpoints after the loss of a rank or a link.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/processes/watch.h"
#include "net/error.h"

namespace tacit::launcher {

constexpr int kNotFound = 127;  // exit code of a shell, and of our child process, when the program does not exist

// The ranks with visible output. A failed rank's last lines are printed in any case.
enum class Shown { kAll, kFirst, kNone };

struct Ranks {
  std::function<Command(int rank, bool again)> command;  // `again`: a restart
  // The copy of the events of a rank on another machine (EventCopy); empty if the ranks run here.
  std::function<std::filesystem::path(int rank)> event_copy = {};
  int count = 0;
  int restarts = 0;  // at most
  Shown shown = Shown::kAll;
  std::chrono::milliseconds grace = kGrace;                  // between SIGTERM and SIGKILL
  std::optional<std::chrono::seconds> longest_silence = {};  // for Watch::limit_silence(); nullopt: no limit
};

// The grace of the ranks of `verb`: a service takes longer to end in order.
std::chrono::seconds grace_of(std::string_view verb);

struct RanksEnded {
  Watch::Outcome outcome;  // the last start's
  int restarts = 0;

  // Each rank ended with exit code 0. After a signal to this process, only the ranks of a service do.
  bool all_well() const;
  // The launcher's exit code: the code of the rank that caused the end. A killed rank counts as a
  // lost peer.
  Exit exit() const;
  // "" after a success. `to_go_on` is added if the same command may make further progress.
  std::string sentence(std::string_view to_go_on = "") const;
};

// The options of a rank's command, from the launch's --resume or --afresh (`start`). A restart
// continues the work of the first start, without --resume. Ranks of an --afresh launch recognise
// this work by the launch's name (kLaunchedVariable).
std::vector<std::string> starting(const std::vector<std::string>& start, bool again);

// Prints the ranks' lines as "rank 1 | epoch 5".
RanksEnded run(const Ranks& ranks, EndSignals& signals, Console& console);

}  // namespace tacit::launcher
