// Poller waits for lanes with work, and can be woken (epoll and eventfd).
//
// Threads: any for watch() and wake(), one for wait().
#pragma once

#include <chrono>
#include <vector>

#include "net/descriptor.h"

namespace tacit::net {

class Lane;

class Poller {
 public:
  Poller();

  struct Interest {
    bool read = false;
    bool write = false;
    bool operator==(const Interest&) const = default;
  };

  void add(int socket, Lane& lane, Interest interest);
  void change(int socket, Lane& lane, Interest interest);
  void remove(int socket);

  // Sets `ready` to the lanes with work. `ready` is empty after wake() or a time-out.
  void wait(std::chrono::nanoseconds timeout, std::vector<Lane*>& ready);

  // Makes the current wait(), or the next one, return at once.
  void wake();

 private:
  void control(int operation, int socket, Lane& lane, Interest interest);

  Descriptor epoll_;
  Descriptor event_;
};

}  // namespace tacit::net
