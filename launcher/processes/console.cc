#include "launcher/processes/console.h"

#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "launcher/processes/reopened.h"

namespace tacit::launcher {

namespace {

constexpr std::size_t kFull = 1 << 20;

// A descriptor that poll() reports as writable takes this many bytes without blocking, unless
// another process fills it first.
constexpr std::size_t kNeverWaits = PIPE_BUF;

}  // namespace

Console::Console(int fd) : fd_(fd), own_(reopened_without_waiting(fd)) {}

Console::~Console() { flush(std::chrono::milliseconds(500)); }

bool Console::full() const { return pending_.size() >= kFull; }

void Console::say(std::string_view line) {
  if (gone_) return;
  erase_below();
  pending_.append(line).push_back('\n');
  draw_below();
}

void Console::show(std::vector<std::string> below) {
  const bool goes = below.empty();
  below_ = std::move(below);
  stale_ = true;
  if (!gone_ && (goes || !waits()))
    draw_anew();  // a slow terminal gets the newest lines once it has taken the pending bytes
}

void Console::draw_anew() {
  erase_below();
  draw_below();
}

// The cursor is at the end of the last line drawn.
void Console::erase_below() {
  if (drawn_ == 0) return;
  pending_ += "\r\x1b[K";
  for (std::size_t line = 1; line < drawn_; ++line) pending_ += "\x1b[A\x1b[K";
  drawn_ = 0;
}

// Lines that scroll off cannot be erased, and would appear again with every change.
std::size_t Console::room_below() const {
  winsize size{};
  if (::ioctl(fd_, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return below_.size();
  return std::max<std::size_t>(size.ws_row, 3) - 1;
}

void Console::draw_below() {
  const std::size_t room = room_below();
  const std::size_t shown = below_.size() <= room ? below_.size() : room - 1;
  for (std::size_t line = 0; line < shown; ++line) pending_ += (line == 0 ? "" : "\n") + below_[line];
  drawn_ = shown;
  if (shown < below_.size()) {
    pending_ += fmt::format("\nand {} more", below_.size() - shown);
    ++drawn_;
  }
  stale_ = false;
}

void Console::write_some() {
  if (pending_.empty()) return;
  const ssize_t written = ::write(fd(), pending_.data(), std::min(pending_.size(), kNeverWaits));
  if (written >= 0) {
    pending_.erase(0, static_cast<std::size_t>(written));
    if (pending_.empty() && stale_) draw_anew();
  } else if (errno != EINTR && errno != EAGAIN) {
    gone_ = true;
    pending_.clear();
  }
}

void Console::flush(std::chrono::milliseconds within) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (waits()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd writable{fd(), POLLOUT, 0};
    const int ready = ::poll(&writable, 1, std::max(0, static_cast<int>(left.count())));
    if (ready == 0) return;
    if (ready > 0) write_some();
  }
}

}  // namespace tacit::launcher
