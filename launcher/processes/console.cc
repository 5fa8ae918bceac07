#include "launcher/processes/console.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tacit::launcher {

namespace {

constexpr std::size_t kFull = 1 << 20;

// What poll() calls writable takes this much without waiting, also a pipe.
constexpr std::size_t kNeverWaits = PIPE_BUF;

}  // namespace

Console::~Console() { flush(std::chrono::milliseconds(500)); }

bool Console::full() const { return pending_.size() >= kFull; }

void Console::say(std::string_view line) {
  if (gone_) return;
  pending_.append(line).push_back('\n');
}

void Console::write_some() {
  if (pending_.empty()) return;
  const ssize_t written = ::write(fd_, pending_.data(), std::min(pending_.size(), kNeverWaits));
  if (written >= 0) {
    pending_.erase(0, static_cast<std::size_t>(written));
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
    pollfd writable{fd_, POLLOUT, 0};
    if (left.count() <= 0 || ::poll(&writable, 1, static_cast<int>(left.count())) == 0) return;
    write_some();
  }
}

}  // namespace tacit::launcher
