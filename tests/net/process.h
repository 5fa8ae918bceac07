// Process — a real process under test: its environment, its output so far, signals to it, and its end.
//
// It leads a process group of its own that is killed at scope exit, and dies with the thread that started it: nothing
// is left running, even when the test itself is killed. So start it in the thread that outlives it.
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
  std::map<std::string, std::string> environment;  // on top of ours
  int network = -1;                                // a network namespace's descriptor (Hosts); -1: ours
};

struct Ended {
  int exit_code = -1;    // -1: ended by a signal
  int signal = 0;        // 0: ended by itself
  bool overdue = false;  // ran past its deadline and was killed by us
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

  // What it has printed so far.
  std::string out() const;
  std::string err() const;

  // True once its output (of either kind) contains `text`; false when it ended without it or the time is over.
  bool prints(std::string_view text, std::chrono::milliseconds within);

  // To the whole group.
  void signal(int number);

  // Waits for the end; kills it at the deadline. May be asked again.
  Ended wait(std::chrono::milliseconds deadline);

 private:
  bool has_ended_within(std::chrono::milliseconds time);

  pid_t pid_ = -1;
  Descriptor handle_;  // the kernel's for the process: readable once it has ended
  Descriptor out_;     // files in memory: a process never blocks on an output that nobody reads
  Descriptor err_;
  bool reaped_ = false;
  Ended ended_;
};

// Runs it to its end. Throws if it ends with anything but 0: for the commands that prepare a test.
std::string run_to_success(const Command& command);

}  // namespace tacit::net
