// NoRoom — while it lives, no file of this process may grow beyond `bytes` bytes, which imitates a
// full disk.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace tacit {

class NoRoom {
 public:
  explicit NoRoom(rlim_t bytes) : ignored_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  NoRoom(const NoRoom&) = delete;
  NoRoom& operator=(const NoRoom&) = delete;
  ~NoRoom() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, ignored_);
  }

 private:
  void (*ignored_)(int);
  rlimit before_{};
};

}  // namespace tacit
