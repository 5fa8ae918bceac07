#include "launcher/launch/ranks.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "launcher/run/progress.h"

namespace tacit::launcher {

namespace {

constexpr int kNotFound = 127;  // a shell's, and ours, for a program that is not there
constexpr std::size_t kLastWords = 20;

// Another machine's shell says above 128 that a signal ended the rank, and ssh that the connection is gone; a rank that
// was interrupted says so itself.
bool was_lost(const End& end) {
  const bool interrupted = end.exit_code == 128 + SIGINT || end.exit_code == 128 + SIGTERM;
  return end.signal != 0 || (end.exit_code > 128 && !interrupted);
}

Exit exit_of(const End& end) {
  if (was_lost(end)) return Exit::kNet;
  return end.exit_code == kNotFound ? Exit::kConfig : static_cast<Exit>(end.exit_code);
}

std::string name_of(int signal) { return fmt::format("SIG{}", sigabbrev_np(signal)); }

std::string sentence_of(int rank, const End& end) {
  if (end.signal != 0) return fmt::format("rank {} was ended by {}", rank, name_of(end.signal));
  return fmt::format("rank {} ended with exit code {}; what it said is above", rank, end.exit_code);
}

// A fault in a file, a deviation or a bug stays what it is; a rank or a link that was lost may be back.
bool may_help(const Watch::Outcome& outcome) {
  if (outcome.well() || outcome.interrupted != 0) return false;
  return exit_of(outcome.ends[static_cast<std::size_t>(*outcome.first_failed)]) == Exit::kNet;
}

// Lines with the rank before them; where few are wanted, those of a rank that failed are said afterwards.
class Speech {
 public:
  Speech(std::size_t ranks, bool quiet, Console& console)
      : quiet_(quiet),
        console_(console),
        last_words_(ranks),
        statuses_(ranks),
        width_(std::to_string(ranks - 1).size()) {}
  ~Speech() { console_.show({}); }

  void hear(int rank, std::string_view line) {
    if (line.starts_with(kStatusMark)) return show(rank, line.substr(kStatusMark.size()));
    if (!quiet_ || rank == 0) return say(rank, line);
    std::deque<std::string>& words = last_words_[static_cast<std::size_t>(rank)];
    words.emplace_back(line);
    if (words.size() > kLastWords) words.pop_front();
  }

  void say_last_words(int rank) {
    for (const std::string& line : last_words_[static_cast<std::size_t>(rank)]) say(rank, line);
  }

 private:
  // What each does now, below what was said.
  void show(int rank, std::string_view status) {
    statuses_[static_cast<std::size_t>(rank)] = status;
    std::vector<std::string> lines;
    for (std::size_t one = 0; one < statuses_.size(); ++one) {
      lines.push_back(as_changing_line(fmt::format("rank {:>{}}  {}", one, width_, statuses_[one])));
    }
    console_.show(std::move(lines));
  }

  // Ranks say who they are, for those who start them otherwise.
  void say(int rank, std::string_view line) {
    const std::string own_prefix = fmt::format("rank {}: ", rank);
    if (line.starts_with(own_prefix)) line.remove_prefix(own_prefix.size());
    console_.say(fmt::format("rank {:>{}} | {}", rank, width_, line));
  }

  bool quiet_;
  Console& console_;
  std::vector<std::deque<std::string>> last_words_;  // by rank
  std::vector<std::string> statuses_;                // likewise
  std::size_t width_;
};

Watch::Outcome run_once(const Ranks& ranks, bool again, Keeper& keeper, EndSignals& signals, Console& console) {
  Speech speech(static_cast<std::size_t>(ranks.count), ranks.quiet, console);
  Watch watch(keeper, signals, console, [&](int rank, std::string_view line) { speech.hear(rank, line); });
  for (int rank = 0; rank < ranks.count; ++rank) watch.start(ranks.command(rank, again));
  Watch::Outcome outcome = watch.run();
  console.show({});
  if (outcome.first_failed) speech.say_last_words(*outcome.first_failed);
  return outcome;
}

}  // namespace

Exit RanksEnded::exit() const {
  if (outcome.interrupted != 0) return static_cast<Exit>(128 + outcome.interrupted);  // as shells have it
  return outcome.well() ? Exit::kOk : exit_of(outcome.ends[static_cast<std::size_t>(*outcome.first_failed)]);
}

std::string RanksEnded::sentence() const {
  if (outcome.well()) return "";
  const std::string again = "the same command goes on from the last checkpoint, where the job keeps any";
  if (outcome.interrupted != 0) {
    return fmt::format("{} came, and all ranks were ended; {}", name_of(outcome.interrupted), again);
  }
  const int failed = *outcome.first_failed;
  std::string text =
      fmt::format("{}; the others were ended", sentence_of(failed, outcome.ends[static_cast<std::size_t>(failed)]));
  if (restarts > 0) text += fmt::format(", after {} {}", restarts, restarts == 1 ? "restart" : "restarts");
  if (exit() == Exit::kNet) text += fmt::format("; {}", again);
  return text;
}

RanksEnded run(const Ranks& ranks, Keeper& keeper, EndSignals& signals, Console& console) {
  RanksEnded ended;
  while (true) {
    ended.outcome = run_once(ranks, ended.restarts > 0, keeper, signals, console);
    if (ended.restarts == ranks.restarts || !may_help(ended.outcome)) return ended;
    ++ended.restarts;
    const int failed = *ended.outcome.first_failed;
    console.say(fmt::format("tacit: {}; restart {} of {}",
                            sentence_of(failed, ended.outcome.ends[static_cast<std::size_t>(failed)]), ended.restarts,
                            ranks.restarts));
  }
}

}  // namespace tacit::launcher
