#include "gnn/data/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "net/error.h"
#include "net/printable.h"
#include "net/write_remedy.h"

namespace tacit::gnn {

namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// The rename would replace a device, as /dev/null, or a name of the system for one, as /dev/stdout: root may do so, and
// every other program of the machine would then write into a regular file.
void expect_no_device(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(path, unknown);
  const bool device = is_character_file(status) || is_block_file(status);
  if (!device && std::filesystem::weakly_canonical(folder_of(path), unknown) != "/dev") return;
  throw ConfigError(fmt::format("{}: is or stands for a device, which a file would replace; name a file",
                                net::printable(path.string())),
                    "", "is a device");
}

std::string descriptor_path(const net::Descriptor& file) { return fmt::format("/proc/self/fd/{}", file.get()); }

// A file in the folder that has no name yet; invalid if the file system or the system knows no such files.
net::Descriptor nameless_file(const std::filesystem::path& folder) {
  net::Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file && ::access(descriptor_path(file).c_str(), F_OK) != 0) file.reset();  // no /proc: it could get no name
  return file;
}

// Gives a nameless file a name beside `path`, and returns the name; "" with errno if it cannot.
std::string named(const net::Descriptor& file, const std::filesystem::path& path) {
  constexpr int kTries = 100;
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    std::string name = (folder_of(path) / fmt::format(".{}.{:06x}", path.filename().string(), random() >> 8)).string();
    if (::linkat(AT_FDCWD, descriptor_path(file).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return name;
    if (errno != EEXIST) break;
  }
  return "";
}

}  // namespace

// The mode is 0600, since the file may hold a party's data.
AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  expect_no_device(path_);
  file_ = nameless_file(folder_of(path_));
  if (!file_) file_ = temporary_file();
}

net::Descriptor AtomicFile::temporary_file() {
  temporary_ = (folder_of(path_) / fmt::format(".{}.XXXXXX", path_.filename().string())).string();
  net::Descriptor file(::mkostemp(temporary_.data(), O_CLOEXEC));
  if (file) return file;
  temporary_.clear();
  fail();
}

// For a system that gives a nameless file no name, as some security modules do.
void AtomicFile::copy_to_temporary_file() {
  const net::Descriptor nameless = std::exchange(file_, net::Descriptor());
  file_ = temporary_file();
  std::vector<std::byte> piece(std::size_t{1} << 20);
  for (std::int64_t at = 0;;) {
    const ssize_t n = ::pread(nameless.get(), piece.data(), piece.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail();
    if (n == 0) return;
    write_at(at, std::span(piece).first(static_cast<std::size_t>(n)));
    at += n;
  }
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail();
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void AtomicFile::write_at(std::int64_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file_.get(), bytes.data(), bytes.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail();
    at += n;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void AtomicFile::commit() {
  if (temporary_.empty()) temporary_ = named(file_, path_);
  if (temporary_.empty()) copy_to_temporary_file();
  if (::fsync(file_.get()) != 0) fail();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  temporary_.clear();
  file_.reset();
  // The new name is durable when the folder is. A folder in which this user may write and not read cannot be opened for
  // that, and some network file systems synchronise no folders: the file is there all the same.
  const net::Descriptor folder(::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder && errno == EACCES) return;
  if (!folder || (::fsync(folder.get()) != 0 && errno != EINVAL)) fail();
}

void AtomicFile::fail() const {
  const int error = errno;
  const std::string why = "cannot be written: " + std::system_category().message(error);
  throw ConfigError(fmt::format("{}: {}; {}", path_.string(), why, net::write_remedy(error)), "", why);
}

}  // namespace tacit::gnn
