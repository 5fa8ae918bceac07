// Child — a child process. The child leads a process group of its own, its output arrives in two pipes, and its end
// can be polled. The child dies with the thread that started it, and its group with this object.
#pragma once

#include <sys/types.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/processes/lines.h"
#include "net/descriptor.h"

namespace tacit::launcher {

struct Command {
  std::vector<std::string> arguments;                   // the program first: a path, or a name in PATH
  std::map<std::string, std::string> environment = {};  // added to ours
  std::string input = {};                               // input file; "": empty input
  bool open_input = false;  // instead: an input without data that ends with this process, or by end_input()
  std::function<void(std::string_view bytes)> take_output = {};  // gets the bytes of stdout instead of lines; may throw
};

struct End {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;      // 0: ended by itself

  bool well() const { return exit_code == 0; }
};

class Child {
 public:
  // Throws ConfigError if no process can be started; a missing program ends with 127 and a line that says so.
  Child(const Command& command, const Lines::Take& take);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  pid_t pid() const { return pid_; }
  int handle() const { return handle_.get(); }  // readable after the child has ended

  // An output of the child: stdout or stderr.
  struct Output {
    net::Descriptor pipe;  // empty once closed
    Lines lines;
    std::function<void(std::string_view bytes)> take = {};  // instead of lines
  };
  std::array<Output, 2>& outputs() { return outputs_; }
  void read_some(Output& output);  // at most one piece; never waits

  void signal(int number);  // to the whole group
  bool end_input();         // false: the child has no open input

  // Call after the child has ended. Kills the rest of its group, reads the last lines, and returns
  // the end.
  End collect();

 private:
  pid_t pid_ = -1;
  net::Descriptor handle_, input_;
  std::array<Output, 2> outputs_;
  bool collected_ = false;
};

}  // namespace tacit::launcher
