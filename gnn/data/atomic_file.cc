#include "gnn/data/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

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

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  expect_no_device(path_);
  temporary_ = (folder_of(path_) / fmt::format(".{}.XXXXXX", path_.filename().string())).string();
  const int fd = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd < 0) {
    temporary_.clear();
    fail();
  }
  file_ = net::Descriptor(fd);  // mkostemp sets mode 0600, since the file may hold a party's data
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
