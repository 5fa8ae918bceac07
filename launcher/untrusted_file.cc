#include "launcher/untrusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tacit::launcher {

UntrustedFile::UntrustedFile(const std::filesystem::path& path) : std::istream(nullptr) {
  file_ = net::Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat about {};
  if (!file_ || ::fstat(file_.get(), &about) != 0) {
    missing_ = errno == ENOENT || errno == ENOTDIR;
    refusal_ = errno == ELOOP ? "it is a symbolic link" : std::system_category().message(errno);
  } else if (!S_ISREG(about.st_mode)) {
    refusal_ = "it is not a regular file";
  }
  if (!refusal_.empty()) {
    file_.reset();
    setstate(std::ios::failbit);
    return;
  }
  size_ = about.st_size;
  rdbuf(this);
}

void UntrustedFile::skip_to_last(std::int64_t bytes) {
  if (file_) ::lseek(file_.get(), std::max<std::int64_t>(0, size_ - bytes), SEEK_SET);
}

std::streambuf::int_type UntrustedFile::underflow() {
  ssize_t n = -1;
  do n = ::read(file_.get(), piece_.data(), piece_.size());
  while (n < 0 && errno == EINTR);
  if (n <= 0) return std::streambuf::traits_type::eof();
  setg(piece_.data(), piece_.data(), piece_.data() + n);
  return std::streambuf::traits_type::to_int_type(piece_.front());
}

}  // namespace tacit::launcher
