#include "launcher/processes/scratch_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

fs::path new_folder(const std::string& name) {
  std::error_code none;
  fs::path folder = fs::temp_directory_path(none);
  if (none) {
    const char* named = std::getenv("TMPDIR");
    folder = named == nullptr ? "/tmp" : named;
  }
  std::string pattern = (folder / (name + "-XXXXXX")).string();
  if (!none && ::mkdtemp(pattern.data()) != nullptr) return pattern;
  const std::error_code why = none ? none : std::error_code(errno, std::generic_category());
  throw ConfigError(fmt::format("no folder can be made in {}: {}; set TMPDIR to one where you may write",
                                net::printable(folder.string()), why.message()));
}

void close_all_but(int fd) {
  const auto last = static_cast<unsigned>(fd);
  if (last > 0) syscall(SYS_close_range, 0U, last - 1, 0U);
  syscall(SYS_close_range, last + 1, ~0U, 0U);
}

// Ranks that are being killed may still write into the folder.
void remove_folder(const fs::path& folder) {
  for (int tries = 0; tries < 100; ++tries) {
    std::error_code error;
    fs::remove_all(folder, error);
    if (!error) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// Waits until the pipe's other end is closed, and removes the folder. No process ever writes to the pipe.
[[noreturn]] void wait_and_remove(int pipe, const fs::path& folder) {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(number, SIG_IGN);
  prctl(PR_SET_NAME, "tacit-scratch");
  close_all_but(pipe);
  char none = 0;
  while (::read(pipe, &none, 1) < 0 && errno == EINTR) {
  }
  remove_folder(folder);
  _exit(0);
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& name) {
  std::array<int, 2> ends{};
  TACIT_CHECK(pipe2(ends.data(), O_CLOEXEC) == 0);
  const net::Descriptor read_end(ends[0]);
  pipe_ = net::Descriptor(ends[1]);
  path_ = new_folder(name);
  pid_ = fork();
  if (pid_ < 0) {
    remove_folder(path_);
    throw ConfigError("no process can be started: this machine has too many, or too little memory");
  }
  if (pid_ == 0) wait_and_remove(read_end.get(), path_);
}

ScratchFolder::~ScratchFolder() {
  pipe_.reset();
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace tacit::launcher
