// Poller — tells which lanes have work, and can be woken (epoll and eventfd).
//
// Threads: watch() and wake() any; wait() one.
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

  // Fills `ready` with the lanes to work on; empty when woken or when the time is up.
  void wait(std::chrono::nanoseconds timeout, std::vector<Lane*>& ready);

  // The wait under way, or the next one, returns at once.
  void wake();

 private:
  void control(int operation, int socket, Lane& lane, Interest interest);

  Descriptor epoll_;
  Descriptor event_;
};

}  // namespace tacit::net
