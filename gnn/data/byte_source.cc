#include "gnn/data/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "net/error.h"

namespace tacit::gnn {

namespace {

[[noreturn]] void cannot_read(const Place& place) {
  place.wrong(fmt::format("cannot be read: {}", std::system_category().message(errno)));
}

}  // namespace

FileSource::FileSource(const std::filesystem::path& path) : ByteSource(Place(path.string()), 0) {
  // O_NONBLOCK: open() must not wait for a pipe or a terminal.
  file_ = net::Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file_) cannot_read(place());
  struct stat about {};
  if (::fstat(file_.get(), &about) != 0) cannot_read(place());
  if (!S_ISREG(about.st_mode)) place().wrong("it is not a regular file");
  size_ = about.st_size;
  written_ = about.st_mtim;
}

void FileSource::expect_unchanged() const {
  struct stat now {};
  if (::fstat(file_.get(), &now) != 0) cannot_read(place());
  const auto& [seconds, nanoseconds] = now.st_mtim;
  if (now.st_size == size_ && seconds == written_.tv_sec && nanoseconds == written_.tv_nsec) return;
  place().wrong("it changed while it was read; run the command again when nobody writes to it");
}

void FileSource::read(std::int64_t at, std::span<std::byte> into) const {
  TACIT_CHECK(at >= 0 && std::ssize(into) <= size() - at);
  while (!into.empty()) {
    const ssize_t n = ::pread(file_.get(), into.data(), into.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot_read(place());
    if (n == 0) place().wrong("it shrank while it was read");
    into = into.subspan(static_cast<std::size_t>(n));
    at += n;
  }
}

void MemorySource::read(std::int64_t at, std::span<std::byte> into) const {
  TACIT_CHECK(at >= 0 && std::ssize(into) <= size() - at);
  std::copy_n(bytes_.begin() + at, into.size(), into.begin());
}

}  // namespace tacit::gnn
