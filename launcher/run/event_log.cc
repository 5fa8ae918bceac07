#include "launcher/run/event_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <system_error>

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

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  const std::string why = "cannot be written: " + std::system_category().message(error);
  throw ConfigError(fmt::format("{} {}; {} with --output", path.string(), why, net::write_remedy(error)), "", why);
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

EventLog::EventLog(std::filesystem::path path) : path_(std::move(path)) {
  file_ = net::Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file_) fail(path_, errno);
  lock(file_, path_);
  if (ends_within_a_line(file_.get())) write("\n");
}

net::Descriptor EventLog::hold(const std::filesystem::path& path) {
  net::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));  // NFS locks what is open for writing
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return file;
  if (!file) fail(path, errno);
  lock(file, path);
  return file;
}

void EventLog::add(const std::string& name, const Json& more) {
  Json line = {{"time", now()}, {"event", name}};
  line.update(more);
  const std::lock_guard lock(mutex_);
  write(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
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
  std::ifstream file(path);
  for (std::string line; events.size() < most && std::getline(file, line);) {
    const bool wanted = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return line.find(fmt::format("\"event\":\"{}\"", name)) != std::string::npos;
    });
    if (!wanted) continue;
    Json event = Json::parse(line, nullptr, false);
    if (event.is_object()) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace tacit::launcher
