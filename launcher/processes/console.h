// Console — lines for a terminal, a pipe or a file, from a program that must never wait for their reader: not while a
// pager stands still, not after Ctrl-S, not when an ssh hangs. Lines that the reader does not take yet are kept.
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
  explicit Console(int fd);  // not closed here
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console();  // gives a slow reader half a second for the rest

  void say(std::string_view line);  // kept until there is room for it
  // Lines that stay below all others, until there are others; on a terminal only. None: they go. Where it has no room
  // for all of them, as many as it has, and how many more there are.
  void show(std::vector<std::string> below);

  int fd() const { return own_ ? own_.get() : fd_; }  // to poll for room
  bool waits() const { return !pending_.empty(); }
  bool holds(std::size_t bytes) const { return pending_.size() >= bytes; }
  bool full() const;  // say no more before some was written
  // Once the descriptor is writable; never waits. When the reader is gone, everything is dropped from then on.
  void write_some();
  void flush(std::chrono::milliseconds within);  // 0: writes as much as there is room for now

 private:
  void erase_below();
  void draw_below();
  void draw_anew();
  std::size_t room_below() const;

  int fd_;
  net::Descriptor own_;  // the same pipe or terminal, where a write never waits; or empty
  std::string pending_;
  std::vector<std::string> below_;
  std::size_t drawn_ = 0;  // lines of it
  bool stale_ = false;     // there are newer ones than those
  bool gone_ = false;
};

}  // namespace tacit::launcher
