#include "launcher/run/progress.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "net/error.h"
#include "net/printable.h"
#include "net/thread.h"

namespace tacit::launcher {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kBetweenLooks{200};
constexpr seconds kBetweenLines{
    5};  // between lines of epochs in a log; a line follows every tenth of the epochs as well
constexpr seconds kFirstWaiting{10};
constexpr seconds kLiveWaiting{2};
constexpr std::size_t kMostKept = 64 << 10;  // bytes for a reader that takes none

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::size_t columns() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

std::string waiting_text(const net::Mesh& mesh, const net::Waiting& waiting) {
  return fmt::format("waiting {} s for {}{}", std::chrono::duration_cast<seconds>(waiting.since).count(),
                     mesh.describe(waiting.rank), waiting.peer_alive ? "" : ", which is not heard");
}

}  // namespace

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::kQuiet;
  if (is_set(kStatusVariable)) return ProgressStyle::kStatus;
  const char* terminal = std::getenv("TERM");
  const bool can = terminal != nullptr && std::string_view(terminal) != "dumb";
  return can && ::isatty(STDERR_FILENO) == 1 ? ProgressStyle::kLive : ProgressStyle::kLines;
}

std::string as_changing_line(const std::string& text) {
  const std::string shown = net::printable(text, static_cast<std::int64_t>(columns()) - 1);
  return is_set("NO_COLOR") ? shown : "\x1b[36m" + shown + "\x1b[0m";
}

Progress::Progress(int rank, ProgressStyle style, Console& console)
    : rank_(rank), style_(style), console_(console), next_waiting_(kFirstWaiting) {
  if (style == ProgressStyle::kQuiet) return;
  sigset_t all, before;  // other threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = net::start_thread("shows progress", [this] { watch(); });
  } catch (const ConfigError&) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  leave();
  if (thread_.joinable()) thread_.join();
}

void Progress::leave() {
  const std::lock_guard lock(mutex_);
  if (!over_) draw("");
  over_ = true;
  news_.notify_all();
}

void Progress::leave_with(const std::string& text, milliseconds patience) {
  leave();
  const std::lock_guard lock(mutex_);
  console_.say(text);
  console_.flush(patience);
}

void Progress::begin(const std::string& phase) {
  const std::lock_guard lock(mutex_);
  now_.begin(phase);
  draw(now_.text());
}

void Progress::set_epochs(std::int64_t all, const gnn::ClassNames& class_names) {
  const std::lock_guard lock(mutex_);
  now_.set_epochs(all, class_names);
}

void Progress::set_plan(const gnn::PlannedRun& plan) {
  const std::lock_guard lock(mutex_);
  now_.set_plan(plan);
}

void Progress::take(const gnn::EpochEvent& event) {
  const std::lock_guard lock(mutex_);
  now_.take(event);
  const Clock::time_point now = Clock::now();
  const bool due = event.epoch == 1 || event.last || now_.ends_a_tenth() || now - last_line_ >= kBetweenLines;
  if (style_ != ProgressStyle::kLines || !due) return;
  last_line_ = now;
  line(now_.text());
}

void Progress::note(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (style_ == ProgressStyle::kQuiet) return;
  line(text);
  draw(now_.text());
}

void Progress::follow(const net::Mesh* mesh) {
  const std::lock_guard lock(mutex_);
  mesh_ = mesh;
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  while (!news_.wait_for(lock, kBetweenLooks, [this] { return over_; })) look();
}

void Progress::look() {
  const auto waiting = mesh_ != nullptr ? mesh_->waiting() : std::nullopt;
  if (style_ == ProgressStyle::kLive || style_ == ProgressStyle::kStatus) {
    const bool long_enough = waiting && waiting->since >= kLiveWaiting;
    draw(long_enough ? fmt::format("{}  {}", now_.phase(), waiting_text(*mesh_, *waiting)) : now_.text());
    return;
  }
  if (!waiting || waiting->since < kFirstWaiting) next_waiting_ = kFirstWaiting;
  console_.flush(milliseconds(0));
  if (!waiting || waiting->since < next_waiting_) return;
  next_waiting_ = 2 * waiting->since;
  line(fmt::format("{}: {}", now_.phase(), waiting_text(*mesh_, *waiting)));
}

void Progress::line(const std::string& text) {
  if (!over_) say(fmt::format("rank {}: {}", rank_, text));
}

void Progress::say(const std::string& line) {
  console_.flush(milliseconds(0));
  if (console_.holds(kMostKept)) {
    ++left_out_;
    return;
  }
  if (left_out_ > 0)
    console_.say(fmt::format("rank {}: {} lines are left out: the reader was too slow", rank_, left_out_));
  left_out_ = 0;
  console_.say(line);
  console_.flush(milliseconds(0));
}

// Replaces the line on the screen.
void Progress::draw(const std::string& text) {
  if (style_ == ProgressStyle::kStatus && !over_ && text != last_status_) {
    last_status_ = text;
    say(std::string(kStatusMark) + text);
  }
  if (style_ == ProgressStyle::kLive && !over_) {
    console_.show(text.empty() ? std::vector<std::string>()
                               : std::vector{as_changing_line(fmt::format("rank {}  {}", rank_, text))});
  }
  console_.flush(milliseconds(0));
}

}  // namespace tacit::launcher
