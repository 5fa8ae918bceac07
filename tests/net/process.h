// Process — a real process under test: its environment, its output so far, signals to it, and its
// end.
//
// The process leads its own process group, which is killed at scope exit, and dies with the thread
// that started it. No process stays behind, even when the test itself is killed. Start it in a
// thread that outlives it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "net/descriptor.h"

namespace tacit::net {

struct Command {
  std::vector<std::string> arguments;              // the program first: a path, or a name to look up in PATH
  std::map<std::string, std::string> environment;  // added to ours
  int network = -1;                                // a network namespace's descriptor (Hosts); -1: ours
};

struct Ended {
  int exit_code = -1;    // -1: ended by a signal
  int signal = 0;        // 0: not ended by a signal
  bool overdue = false;  // exceeded its deadline and was killed by us
  std::string out;
  std::string err;
};

std::ostream& operator<<(std::ostream& text, const Ended& ended);

class Process {
 public:
  explicit Process(const Command& command);
  Process(Process&&) noexcept = default;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }

  // Its output so far.
  std::string out() const;
  std::string err() const;

  // True once the output (of either kind) contains `text`; false if the process ended without it or
  // the time is over.
  bool prints(std::string_view text, std::chrono::milliseconds within);

  // Sends a signal to the whole group.
  void signal(int number);

  // Waits for the end; kills the process at the deadline. May be called again.
  Ended wait(std::chrono::milliseconds deadline);

 private:
  bool has_ended_within(std::chrono::milliseconds time);

  pid_t pid_ = -1;
  Descriptor handle_;  // the kernel's descriptor for the process: readable after its end
  Descriptor out_;     // files in memory: a process never blocks on unread output
  Descriptor err_;
  bool reaped_ = false;
  Ended ended_;
};

// Runs a command to its end. Throws unless the exit code is 0; for commands that prepare a test.
std::string run_to_success(const Command& command);

}  // namespace tacit::net
