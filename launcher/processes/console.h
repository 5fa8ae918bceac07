// Console — where lines are shown, by one thread that must never be held up by who reads them: Ctrl-C is to work even
// while a pager stands still.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace tacit::launcher {

class Console {
 public:
  explicit Console(int fd) : fd_(fd) {}  // not closed here
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console();  // gives a slow reader half a second for the rest

  void say(std::string_view line);  // kept until there is room for it

  int fd() const { return fd_; }
  bool waits() const { return !pending_.empty(); }
  bool full() const;  // say no more before some was written
  // Once the descriptor is writable; never waits. When the reader is gone, everything is dropped from then on.
  void write_some();
  void flush(std::chrono::milliseconds within);

 private:
  int fd_;
  std::string pending_;
  bool gone_ = false;
};

}  // namespace tacit::launcher
