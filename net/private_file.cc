#include "net/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "net/descriptor.h"
#include "net/error.h"
#include "net/write_remedy.h"

namespace tacit::net {

namespace {

std::string last_system_error() { return std::system_category().message(errno); }

[[noreturn]] void cannot_read(std::string_view what, const std::string& path, const std::string& why) {
  throw ConfigError(fmt::format("cannot read {} {}: {}", what, path, why), "", "cannot be read: " + why);
}

[[noreturn]] void cannot_write(std::string_view what, const std::string& path, int error) {
  const std::string why = std::system_category().message(error);
  throw ConfigError(fmt::format("cannot write {} {}: {}; {}", what, path, why, write_remedy(error)), "",
                    "cannot be written: " + why);
}

void require_private(const std::string& path, std::string_view what, std::int64_t most_bytes, const struct stat& file) {
  if (!S_ISREG(file.st_mode)) throw ConfigError(fmt::format("{} is not a regular file; expected a {}", path, what));
  if ((file.st_mode & 077) != 0) {
    throw ConfigError(
        fmt::format(
            "{} {} has mode {:04o}, so others on this machine may read it; expected 0600: run `chmod 600 {}`, and "
            "make a new key if it may have been read",
            what, path, file.st_mode & 07777, path),
        "", "may be read by others on its machine");
  }
  if (file.st_uid != ::geteuid() && file.st_uid != 0) {
    throw ConfigError(fmt::format("{} {} belongs to user {}, not to you (user {}); use a key of your own", what, path,
                                  file.st_uid, ::geteuid()));
  }
  if (file.st_size > most_bytes) {
    throw ConfigError(fmt::format("{} has {} bytes, too many for a {}", path, file.st_size, what));
  }
}

}  // namespace

Secret read_private_file(const std::string& path, std::string_view what, std::int64_t most_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) cannot_read(what, path, last_system_error());
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) cannot_read(what, path, last_system_error());
  require_private(path, what, most_bytes, about);
  Secret content(about.st_size);
  for (std::int64_t at = 0; at < content.size();) {
    const ssize_t n = ::read(file.get(), content.bytes().data() + at, static_cast<std::size_t>(content.size() - at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) cannot_read(what, path, n == 0 ? "it shrank" : last_system_error());
    at += n;
  }
  return content;
}

void write_private_file(const std::string& path, std::string_view what, std::span<const std::byte> content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file && errno == EEXIST) {
    throw ConfigError(path +
                      " exists already; a key is never overwritten: choose another name or move the old one away");
  }
  if (!file) cannot_write(what, path, errno);
  try {
    if (::fchmod(file.get(), 0600) != 0) cannot_write(what, path, errno);
    while (!content.empty()) {
      const ssize_t n = ::write(file.get(), content.data(), content.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) cannot_write(what, path, errno);
      content = content.subspan(static_cast<std::size_t>(n));
    }
    if (::fsync(file.get()) != 0) cannot_write(what, path, errno);
  } catch (...) {
    ::unlink(path.c_str());  // an incomplete key is useless
    throw;
  }
}

}  // namespace tacit::net
