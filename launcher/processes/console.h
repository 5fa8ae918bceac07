// Console — prints lines to a terminal, a pipe or a file without ever waiting for the reader. A
// pager may stand still, Ctrl-S may stop a terminal, an ssh may hang. Lines that the reader does
// not take yet are kept.
//
// Thread: one at a time.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "net/descriptor.h"

namespace tacit::launcher {

class Console {
 public:
  explicit Console(int fd);  // not closed by this object
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console();  // gives a slow reader half a second

  void say(std::string_view line);  // kept until the reader has room
  // On a terminal: keeps these lines below all others, and replaces the previous ones. If the
  // terminal is too low, shows the first lines and the number of the others.
  void show(std::vector<std::string> below);

  int fd() const { return own_ ? own_.get() : fd_; }  // for poll(), until writable
  bool waits() const { return !pending_.empty(); }
  bool holds(std::size_t bytes) const { return pending_.size() >= bytes; }
  bool full() const;  // wait for the reader before the next line
  // Call when the descriptor is writable; never waits. If the reader is gone, this and all later
  // output is dropped.
  void write_some();
  void flush(std::chrono::milliseconds within);  // 0: writes only as much as fits now

 private:
  void erase_below();
  void draw_below();
  void draw_anew();
  std::size_t room_below() const;

  int fd_;
  net::Descriptor own_;  // the same pipe or terminal, opened without blocking; or empty
  std::string pending_;
  std::vector<std::string> below_;
  std::size_t drawn_ = 0;  // lines of below_ on the screen
  bool stale_ = false;     // below_ is newer than the screen
  bool gone_ = false;
};

}  // namespace tacit::launcher
