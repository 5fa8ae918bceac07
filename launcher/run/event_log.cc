#include "launcher/run/event_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "launcher/line_reader.h"
#include "launcher/untrusted_file.h"
#include "net/error.h"
#include "net/write_remedy.h"

namespace tacit::launcher {

namespace {

std::string now() {
  const auto time = std::chrono::system_clock::now();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(time)),
                     milliseconds % 1000);
}

// Opens for reading and writing, since NFS locks only files that are open for writing. Follows no
// link, and does not wait at a FIFO.
constexpr int kOpenForWriting = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

// The longest line that is read, in bytes. A longer line is no event.
constexpr std::size_t kMostLine = 1 << 20;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw ConfigError(fmt::format("{} {}; take it away, or name another folder with --output", path.string(), why), "",
                    why);
}

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  if (error == ELOOP) refuse(path, "is a symbolic link, and a rank's events are written to a regular file only");
  const std::string why = "cannot be written: " + std::system_category().message(error);
  throw ConfigError(fmt::format("{} {}; {} with --output", path.string(), why, net::write_remedy(error)), "", why);
}

void expect_regular(const net::Descriptor& file, const std::filesystem::path& path) {
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) fail(path, errno);
  if (!S_ISREG(about.st_mode)) refuse(path, "is not a regular file");
}

void lock(const net::Descriptor& file, const std::filesystem::path& path) {
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) {
    const std::string why = "cannot be locked: " + std::system_category().message(errno);
    throw ConfigError(fmt::format("{} {}; name a folder on another file system with --output", path.string(), why), "",
                      why);
  }
  throw ConfigError(
      fmt::format(
          "another process writes {}: this rank runs already; end that one, or name another folder with --output",
          path.string()),
      "", "is in use: that rank runs already");
}

bool ends_within_a_line(int fd) {
  const off_t size = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

EventLog::EventLog(std::filesystem::path path, Console* copy) : path_(std::move(path)), copy_(copy) {
  file_ = net::Descriptor(::open(path_.c_str(), O_CREAT | O_APPEND | kOpenForWriting, 0600));
  if (!file_) fail(path_, errno);
  expect_regular(file_, path_);
  lock(file_, path_);
  if (ends_within_a_line(file_.get())) write("\n");
}

net::Descriptor EventLog::hold(const std::filesystem::path& path) {
  net::Descriptor file(::open(path.c_str(), kOpenForWriting));
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return file;
  if (!file) fail(path, errno);
  expect_regular(file, path);
  lock(file, path);
  return file;
}

void EventLog::add(const std::string& name, const Json& more) {
  Json json = {{"time", now()}, {"event", name}};
  json.update(more);
  const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::lock_guard lock(mutex_);
  write(line + "\n");
  if (copy_ != nullptr) tell(line);
}

void EventLog::tell(const std::string& line) {
  copy_->flush(std::chrono::milliseconds(0));
  if (!copy_->full()) copy_->say(std::string(kEventMark) + line);
  copy_->flush(std::chrono::milliseconds(0));
}

void EventLog::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file_.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path_, errno);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::vector<Json> EventLog::read(const std::filesystem::path& path, std::initializer_list<std::string_view> names,
                                 std::size_t most) {
  std::vector<Json> events;
  UntrustedFile file(path);
  if (!file) return events;
  for (LineReader lines(file, kMostLine); events.size() < most && lines.next();) {
    const std::string& line = lines.line();
    const bool wanted = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return line.find(fmt::format("\"event\":\"{}\"", name)) != std::string::npos;
    });
    if (!wanted) continue;
    Json event = json_from_outside(line);
    if (event.is_object()) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace tacit::launcher
