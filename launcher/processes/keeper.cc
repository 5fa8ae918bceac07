#include "launcher/processes/keeper.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <set>
#include <system_error>
#include <thread>

#include "net/error.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

struct Note {
  pid_t group;
  bool guarded;
};

void close_all_but(int fd) {
  const auto last = static_cast<unsigned>(fd);
  if (last > 0) syscall(SYS_close_range, 0U, last - 1, 0U);
  syscall(SYS_close_range, last + 1, ~0U, 0U);
}

// The groups that are guarded when no more notes come.
std::set<pid_t> read_notes(int fd) {
  std::set<pid_t> groups;
  Note note{};
  while (true) {
    const ssize_t got = ::read(fd, &note, sizeof note);
    if (got < 0 && errno == EINTR) continue;
    if (got != static_cast<ssize_t>(sizeof note)) return groups;
    note.guarded ? void(groups.insert(note.group)) : void(groups.erase(note.group));
  }
}

void end(const std::set<pid_t>& groups) {
  for (const pid_t group : groups) ::kill(-group, SIGKILL);
  for (int tries = 0; tries < 200; ++tries) {
    bool some = false;
    for (const pid_t group : groups) some = some || ::kill(-group, 0) == 0;
    if (!some) return;
    std::this_thread::sleep_for(milliseconds(5));
  }
}

// What was killed may still have been writing into it.
void remove_folder(const fs::path& folder) {
  if (folder.empty()) return;
  for (int tries = 0; tries < 100; ++tries) {
    std::error_code error;
    fs::remove_all(folder, error);
    if (!error) return;
    std::this_thread::sleep_for(milliseconds(10));
  }
}

[[noreturn]] void keep(int fd, const fs::path& folder) {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(number, SIG_IGN);
  prctl(PR_SET_NAME, "tacit-keeper");
  close_all_but(fd);
  end(read_notes(fd));
  remove_folder(folder);
  _exit(0);
}

void write_note(int fd, const Note& note) {
  while (::write(fd, &note, sizeof note) < 0 && errno == EINTR) {
  }
}

}  // namespace

Keeper::Keeper(fs::path folder) {
  std::array<int, 2> ends{};
  TACIT_CHECK(pipe2(ends.data(), O_CLOEXEC) == 0);
  const net::Descriptor read_end(ends[0]);
  pipe_ = net::Descriptor(ends[1]);
  pid_ = fork();
  if (pid_ < 0) throw ConfigError("no process can be started: this machine has too many, or too little memory");
  if (pid_ == 0) keep(read_end.get(), folder);
}

Keeper::~Keeper() {
  pipe_.reset();
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Keeper::guard(pid_t group) { write_note(pipe_.get(), {group, true}); }
void Keeper::release(pid_t group) { write_note(pipe_.get(), {group, false}); }

}  // namespace tacit::launcher
