#include "launcher/processes/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "net/error.h"

namespace tacit::launcher {

namespace {

using net::Descriptor;

struct Pipe {
  Descriptor read, write;
};

[[noreturn]] void cannot_start(const std::string& program, const char* what) {
  throw ConfigError(program + " cannot be started: " + what + ": " + strerrordesc_np(errno));
}

Pipe new_pipe(const std::string& program) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot_start(program, "a pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
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

// The form that exec needs: pointers into `texts`, and a null pointer at the end.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Prepared {
  pid_t parent;
  char* const* arguments;
  char* const* environment;
  int in, out, err;
};

[[noreturn]] void give_up(const char* what) {
  const char* reason = strerrordesc_np(errno);
  for (const char* text : {what, " cannot be started: ", reason, "\n"}) {
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  _exit(127);
}

// Runs between fork and exec, so it makes async-signal-safe calls only.
[[noreturn]] void become(const Prepared& child) {
  if (dup2(child.in, STDIN_FILENO) < 0 || dup2(child.out, STDOUT_FILENO) < 0 || dup2(child.err, STDERR_FILENO) < 0)
    _exit(127);
  setpgid(0, 0);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != child.parent) _exit(127);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(child.arguments[0], child.arguments, child.environment);
  give_up(child.arguments[0]);
}

}  // namespace

Child::Child(const Command& command, const Lines::Take& take)
    : outputs_{Output{{}, Lines(take), command.take_output}, Output{{}, Lines(take)}} {
  const std::string& program = command.arguments.front();
  Descriptor in;
  if (command.open_input) {
    Pipe input = new_pipe(program);
    in = std::move(input.read);
    input_ = std::move(input.write);
  } else {
    const std::string file = command.input.empty() ? "/dev/null" : command.input;
    in = Descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!in) cannot_start(program, file.c_str());
  }
  Pipe out = new_pipe(program), err = new_pipe(program);
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = merged_environment(command.environment);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  const Prepared child{getpid(), argv.data(), envp.data(), in.get(), out.write.get(), err.write.get()};
  pid_ = fork();
  if (pid_ < 0) cannot_start(program, "a process");
  if (pid_ == 0) become(child);
  setpgid(pid_, pid_);  // in both processes, since either may be first
  handle_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  TACIT_CHECK(handle_);
  for (const auto& [output, pipe] : {std::pair{&outputs_[0], &out}, std::pair{&outputs_[1], &err}}) {
    TACIT_CHECK(fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK) == 0);
    output->pipe = std::move(pipe->read);
  }
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      handle_(std::move(other.handle_)),
      input_(std::move(other.input_)),
      outputs_(std::move(other.outputs_)),
      collected_(other.collected_) {}

Child::~Child() {
  if (pid_ < 0 || collected_) return;
  signal(SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Child::read_some(Output& output) {
  std::array<char, 16384> piece;
  const ssize_t got = ::read(output.pipe.get(), piece.data(), piece.size());
  if (got > 0) {
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
    output.take ? output.take(bytes) : output.lines.add(bytes);
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    output.pipe.reset();
  }
}

void Child::signal(int number) {
  if (pid_ >= 0 && !collected_) ::kill(-pid_, number);
}

bool Child::end_input() {
  const bool open = static_cast<bool>(input_);
  input_.reset();
  return open;
}

End Child::collect() {
  TACIT_CHECK(!collected_);
  signal(SIGKILL);  // the group's number stays reserved until the child is reaped
  for (Output& output : outputs_) {
    // A process that is being killed may still hold the pipe, so this reads only the bytes that are
    // in the pipe now.
    for (int pieces = 0; output.pipe && pieces < 64; ++pieces) {
      pollfd readable{output.pipe.get(), POLLIN, 0};
      if (::poll(&readable, 1, 0) != 1) break;
      read_some(output);
    }
    output.pipe.reset();
    output.lines.finish();
  }
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  collected_ = true;
  End end;
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace tacit::launcher
