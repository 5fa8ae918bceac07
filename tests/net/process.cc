#include "tests/net/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace tacit::net {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), "test harness: " + what);
}

Descriptor file_in_memory(const char* name) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  if (!file) fail("memfd_create");
  return file;
}

std::string contents(const Descriptor& file) {
  std::string text;
  std::array<char, 4096> piece;
  while (true) {
    const ssize_t got = pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(text.size()));
    if (got < 0) fail("reading the output of a process");
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view pair = *entry;
    if (!extra.contains(std::string(pair.substr(0, pair.find('='))))) merged.emplace_back(pair);
  }
  for (const auto& [name, value] : extra) merged.push_back(name + "=" + value);
  return merged;
}

// The arguments in exec's form: pointers into `texts`, and a null pointer at the end.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Prepared {
  pid_t parent;
  char** arguments;
  char** environment;
  int out;
  int err;
  int network;
};

[[noreturn]] void give_up(const char* what) {
  const char* reason = strerrordesc_np(errno);
  for (const char* text : {"test harness: ", what, ": ", reason, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  _exit(127);
}

// Runs between fork and exec of a process that may have threads: async-signal-safe calls only.
[[noreturn]] void become(const Prepared& child) {
  if (dup2(child.out, STDOUT_FILENO) < 0 || dup2(child.err, STDERR_FILENO) < 0) _exit(127);
  setpgid(0, 0);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != child.parent) _exit(127);
  if (child.network >= 0 && setns(child.network, CLONE_NEWNET) != 0) give_up("entering a network namespace");
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(child.arguments[0], child.arguments, child.environment);
  give_up(child.arguments[0]);
}

}  // namespace

std::ostream& operator<<(std::ostream& text, const Ended& ended) {
  if (ended.overdue) text << "overdue, killed; ";
  return text << "exit code " << ended.exit_code << ", signal " << ended.signal << "\n--- stdout\n"
              << ended.out << "--- stderr\n"
              << ended.err << "---";
}

Process::Process(const Command& command) : out_(file_in_memory("stdout")), err_(file_in_memory("stderr")) {
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = merged_environment(command.environment);
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const Prepared child{
      getpid(),       const_cast<char**>(argv.data()), const_cast<char**>(envp.data()), out_.get(), err_.get(),
      command.network};
  pid_ = fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) become(child);
  setpgid(pid_, pid_);  // parent and child both set it, since either may run first
  // glibc 2.36 declares pidfd_open() without C linkage.
  handle_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (!handle_) fail("pidfd_open");
}

Process::~Process() {
  if (!handle_) return;  // moved from
  kill(-pid_, SIGKILL);  // the group, for children that outlive their leader
  if (!reaped_) waitpid(pid_, nullptr, 0);
}

std::string Process::out() const { return contents(out_); }
std::string Process::err() const { return contents(err_); }

bool Process::prints(std::string_view text, milliseconds within) {
  const Clock::time_point deadline = Clock::now() + within;
  while (true) {
    const bool ended = has_ended_within(milliseconds(0));  // before the output is read: the last output counts
    if (out().find(text) != std::string::npos || err().find(text) != std::string::npos) return true;
    if (ended || Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(milliseconds(5));
  }
}

void Process::signal(int number) {
  if (!reaped_) kill(-pid_, number);
}

bool Process::has_ended_within(milliseconds time) {
  pollfd handle{handle_.get(), POLLIN, 0};
  return poll(&handle, 1, static_cast<int>(time.count())) == 1;
}

Ended Process::wait(milliseconds deadline) {
  if (reaped_) return ended_;
  if (!has_ended_within(deadline)) {
    ended_.overdue = true;
    signal(SIGKILL);
  }
  int status = 0;
  if (waitpid(pid_, &status, 0) != pid_) fail("waitpid");
  reaped_ = true;
  if (WIFEXITED(status)) ended_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended_.signal = WTERMSIG(status);
  ended_.out = out();
  ended_.err = err();
  return ended_;
}

std::string run_to_success(const Command& command) {
  const Ended ended = Process(command).wait(std::chrono::seconds(60));
  if (ended.exit_code != 0) {
    throw std::runtime_error(fmt::format("test harness: \"{}\" failed (exit code {}): {}",
                                         fmt::join(command.arguments, " "), ended.exit_code, ended.err));
  }
  return ended.out;
}

}  // namespace tacit::net
