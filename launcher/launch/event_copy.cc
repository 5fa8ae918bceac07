#include "launcher/launch/event_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "launcher/json.h"
#include "launcher/run/event_log.h"

namespace tacit::launcher {

EventCopy::EventCopy(std::filesystem::path path, Lines::Take other)
    : path_(std::move(path)), say_(other), other_(std::move(other)) {}

void EventCopy::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::size_t kept = std::min(end, kEventMark.size() + kMostLine - line_.size());
    line_ += bytes.substr(0, kept);
    too_long_ = too_long_ || kept < end;
    if (end == bytes.size()) return;
    bytes.remove_prefix(end + 1);
    take_line();
    line_.clear();
    too_long_ = false;
  }
}

void EventCopy::take_line() {
  const std::string_view line = line_;
  if (!line.starts_with(kEventMark)) {
    other_.add(line);
    other_.add("\n");
  } else if (const std::string_view event = line.substr(kEventMark.size()); !too_long_) {
    if (event.starts_with('{') && Json::accept(event)) append(event);
  }
}

void EventCopy::append(std::string_view event) {
  if (ended_) return;
  if (!file_) {
    constexpr int kAppending = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    file_ = net::Descriptor(::open(path_.c_str(), kAppending, 0600));
    if (!file_) return stop(errno);
  }
  struct stat about {};
  if (::fstat(file_.get(), &about) != 0) return stop(errno);
  if (!S_ISREG(about.st_mode)) return stop(EINVAL);
  if (about.st_size + std::ssize(event) >= kMostOfAll) return stop(EFBIG);
  // A launcher that was killed may have left half a line.
  char last = '\n';
  const bool within = about.st_size > 0 && ::pread(file_.get(), &last, 1, about.st_size - 1) == 1 && last != '\n';
  const std::string text = fmt::format("{}{}\n", within ? "\n" : "", event);
  const ssize_t written = ::write(file_.get(), text.data(), text.size());
  if (written != std::ssize(text)) stop(written < 0 ? errno : ENOSPC);
}

void EventCopy::stop(int error) {
  ended_ = true;
  file_.reset();
  say_(fmt::format("{} cannot be written: {}; the events come when the run has ended", path_.string(),
                   std::system_category().message(error)));
}

}  // namespace tacit::launcher
