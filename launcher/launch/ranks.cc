#include "launcher/launch/ranks.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>

#include "launcher/launch/event_copy.h"
#include "launcher/run/progress.h"
#include "launcher/run/rank_run.h"

namespace tacit::launcher {

namespace {

constexpr std::size_t kLastWords = 20;

// A remote shell exits with a status above 128 if a signal ended the rank, and ssh if the
// connection is lost. An interrupted rank reports the interruption itself.
bool was_lost(const End& end) {
  const bool interrupted =
      end.exit_code == 128 + SIGINT || end.exit_code == 128 + SIGTERM || end.exit_code == 128 + SIGHUP;
  return end.signal != 0 || (end.exit_code > 128 && !interrupted);
}

Exit exit_of(const End& end) {
  if (was_lost(end)) return Exit::kNet;
  return end.exit_code == kNotFound ? Exit::kConfig : static_cast<Exit>(end.exit_code);
}

std::string name_of(int signal) { return fmt::format("SIG{}", sigabbrev_np(signal)); }

std::string sentence_of(int rank, const End& end) {
  if (end.signal != 0) return fmt::format("rank {} was ended by {}", rank, name_of(end.signal));
  return fmt::format("rank {} ended with exit code {}; its output is above", rank, end.exit_code);
}

// How well an end explains the failure of the run, 0 best: a bug, a deviation, an error that the
// user can fix, an interruption, a lost rank; last, a rank that only lost a peer.
int rank_among_causes(const End& end) {
  if (was_lost(end)) return 4;
  switch (exit_of(end)) {
    case Exit::kBug:
      return 0;
    case Exit::kProtocol:
      return 1;
    case Exit::kConfig:
      return 2;
    default:
      return end.exit_code > 128 ? 3 : 5;
  }
}

// The failed rank that explains the failure best; the first one among equals. At least one has failed.
int cause(const Watch::Outcome& outcome) {
  const auto of = [&](int rank) { return rank_among_causes(outcome.ends[static_cast<std::size_t>(rank)]); };
  return *std::min_element(outcome.failed.begin(), outcome.failed.end(), [&](int a, int b) { return of(a) < of(b); });
}

const End& end_of_cause(const Watch::Outcome& outcome) {
  return outcome.ends[static_cast<std::size_t>(cause(outcome))];
}

// If all ranks ended alike, every rank has already named the rank at fault.
std::string sentence_of(const Watch::Outcome& outcome, std::string_view of_others = "") {
  const End& first = end_of_cause(outcome);
  const bool alike = outcome.ends.size() > 1 &&
                     std::all_of(outcome.ends.begin(), outcome.ends.end(),
                                 [&](const End& end) { return end.signal == 0 && end.exit_code == first.exit_code; });
  if (alike) return fmt::format("all ranks ended with exit code {}; their output is above", first.exit_code);
  return sentence_of(cause(outcome), first) + std::string(of_others);
}

// Would a restart help? A lost rank or link may come back. An error in a file, a deviation or a bug
// would occur again.
bool may_help(const Watch::Outcome& outcome) {
  if (outcome.well() || outcome.interrupted != 0) return false;
  return exit_of(end_of_cause(outcome)) == Exit::kNet;
}

// Prints the ranks' lines, each after its rank. If few lines are wanted, prints a failed rank's
// last lines afterwards.
class Speech {
 public:
  Speech(std::size_t ranks, Shown shown, Console& console)
      : shown_(shown),
        console_(console),
        last_words_(ranks),
        statuses_(ranks),
        width_(std::to_string(ranks - 1).size()) {}
  ~Speech() { console_.show({}); }

  void hear(int rank, std::string_view line) {
    if (line.starts_with(kStatusMark)) return show(rank, line.substr(kStatusMark.size()));
    if (shown_ == Shown::kAll || (shown_ == Shown::kFirst && rank == 0)) return say(rank, line);
    std::deque<std::string>& words = last_words_[static_cast<std::size_t>(rank)];
    words.emplace_back(line);
    if (words.size() > kLastWords) words.pop_front();
  }

  void say_last_words(int rank) {
    for (const std::string& line : last_words_[static_cast<std::size_t>(rank)]) say(rank, line);
  }

 private:
  // Shows the current status of each rank below the printed lines.
  void show(int rank, std::string_view status) {
    if (shown_ == Shown::kNone) return;
    statuses_[static_cast<std::size_t>(rank)] = status;
    std::vector<std::string> lines;
    for (std::size_t one = 0; one < statuses_.size(); ++one) {
      lines.push_back(as_changing_line(fmt::format("rank {:>{}}  {}", one, width_, statuses_[one])));
    }
    console_.show(std::move(lines));
  }

  // Ranks begin lines with their own number, for users without a launcher; here the prefix would
  // repeat.
  void say(int rank, std::string_view line) {
    const std::string own_prefix = fmt::format("rank {}: ", rank);
    if (line.starts_with(own_prefix)) line.remove_prefix(own_prefix.size());
    console_.say(fmt::format("rank {:>{}} | {}", rank, width_, line));
  }

  Shown shown_;
  Console& console_;
  std::vector<std::deque<std::string>> last_words_;  // by rank
  std::vector<std::string> statuses_;                // by rank
  std::size_t width_;
};

Watch::Outcome run_once(const Ranks& ranks, bool again, EndSignals& signals, Console& console) {
  Speech speech(static_cast<std::size_t>(ranks.count), ranks.shown, console);
  Watch watch(signals, console, [&](int rank, std::string_view line) { speech.hear(rank, line); });
  watch.set_grace(ranks.grace);
  if (ranks.longest_silence) watch.limit_silence(*ranks.longest_silence);
  for (int rank = 0; rank < ranks.count; ++rank) {
    Command command = ranks.command(rank, again);
    if (ranks.event_copy) {
      const auto copy = std::make_shared<EventCopy>(
          ranks.event_copy(rank), [&speech, rank](std::string_view line) { speech.hear(rank, line); });
      command.take_output = [copy](std::string_view bytes) { copy->take(bytes); };
    }
    watch.start(command);
  }
  Watch::Outcome outcome = watch.run();
  console.show({});
  if (!outcome.failed.empty()) speech.say_last_words(cause(outcome));
  return outcome;
}

}  // namespace

std::chrono::seconds grace_of(std::string_view verb) {
  const std::chrono::milliseconds grace = verb == "serve" ? kTimeToEndService + kGrace : kGrace;
  return std::chrono::ceil<std::chrono::seconds>(grace);
}

bool RanksEnded::all_well() const {
  return std::all_of(outcome.ends.begin(), outcome.ends.end(), [](const End& end) { return end.well(); });
}

Exit RanksEnded::exit() const {
  if (outcome.interrupted != 0) return static_cast<Exit>(128 + outcome.interrupted);  // the convention of shells
  return outcome.well() ? Exit::kOk : exit_of(end_of_cause(outcome));
}

std::string RanksEnded::sentence(std::string_view to_go_on) const {
  if (outcome.well()) return "";
  const std::string again = to_go_on.empty() ? "" : fmt::format("; {}", to_go_on);
  if (outcome.interrupted != 0) {
    return fmt::format("{} came, and all ranks were ended{}", name_of(outcome.interrupted), again);
  }
  if (outcome.silent) return "no rank wrote a line for too long, and all ranks were ended" + again;
  std::string text = sentence_of(outcome, "; the others ended, too");
  if (restarts > 0) text += fmt::format(", after {} {}", restarts, restarts == 1 ? "restart" : "restarts");
  return exit() == Exit::kNet ? text + again : text;
}

std::vector<std::string> starting(const std::vector<std::string>& start, bool again) {
  std::vector<std::string> flags = start;
  if (again) std::erase(flags, "--resume");
  return flags;
}

RanksEnded run(const Ranks& ranks, EndSignals& signals, Console& console) {
  RanksEnded ended;
  while (true) {
    ended.outcome = run_once(ranks, ended.restarts > 0, signals, console);
    if (ended.restarts == ranks.restarts || !may_help(ended.outcome)) return ended;
    ++ended.restarts;
    console.say(fmt::format("tacit: {}; restart {} of {}", sentence_of(ended.outcome), ended.restarts, ranks.restarts));
  }
}

}  // namespace tacit::launcher
