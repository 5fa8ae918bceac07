// MemoryHub connects the ranks of a MemoryMesh: it pairs their sends and receives, and tells all
// ranks about a failure.
//
// Threads: any. One lock guards all state; bytes are copied without the lock.
#pragma once

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "net/error.h"
#include "net/mesh.h"

namespace tacit::net {

// One end of a message.
struct MemoryEnd {
  int rank = -1;  // the rank that sends or receives
  int peer = -1;
  Stream stream = 0;
  std::int64_t size = 0;
  // The hub's lock guards the following members.
  bool moving = false;
  bool done = false;
  Clock::time_point finished_at{};
};

// Shared by its Transfer and the hub: a small message outlives its Transfer.
struct MemorySend : MemoryEnd {
  std::vector<ConstBytes> pieces;
  std::vector<std::byte> copy;  // the memory behind `pieces`, if the channel keeps a copy
};

struct MemoryReceive : MemoryEnd {
  std::vector<Bytes> pieces;
};

class MemoryHub {
 public:
  MemoryHub(int parties, int helpers, std::chrono::milliseconds patience);

  int size() const { return static_cast<int>(ranks_.size()); }
  std::string describe(int rank) const;

  // Starts a send. If the channel keeps a copy of the bytes, the send is done at once.
  void submit(const std::shared_ptr<MemorySend>& send);
  void submit(MemoryReceive& receive);  // stays with the caller until it is done or withdrawn
  bool done(const MemoryEnd& end) const;
  Clock::time_point finished_at(const MemoryEnd& end) const;
  void wait(const MemorySend& send);
  void wait(const MemoryReceive& receive);

  // Afterwards no thread touches the memory of the message. If the message was not done, its rank
  // may send and receive no more.
  void withdraw(const MemorySend& send);
  void withdraw(const MemoryReceive& receive);

  void close(int rank);
  void abort(int rank, Exit exit, std::string_view reason, int culprit);
  bool closed(int rank) const;

  void set_step(int rank, std::string step);
  std::string step(int rank) const;
  void count_rounds(int rank, std::int64_t rounds);
  Traffic traffic(int rank) const;
  std::optional<Waiting> waiting(int rank) const;
  Secret export_key(int rank, int peer, std::string_view label, std::int64_t size) const;

 private:
  // The pending sends or receives from one rank to another on one stream. At most one of the two is
  // non-empty.
  struct Queue {
    std::deque<std::shared_ptr<MemorySend>> sends;
    std::deque<MemoryReceive*> receives;
  };
  struct Wait {
    int peer;
    Clock::time_point since;
  };
  struct Rank {
    std::condition_variable changed;
    std::list<Wait> waits;  // waits of the rank's threads, the longest first
    std::string step;
    Traffic traffic;
    bool goodbye = false;
    bool closed = false;
    bool gave_up_a_message = false;
  };
  struct Failure {
    Exit exit = Exit::kNet;
    int culprit = -1;
    int reporter = -1;  // -1: every rank sees the failure itself
    std::string text;
  };
  using Lock = std::unique_lock<std::mutex>;

  Rank& at(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  const Rank& at(int rank) const { return *ranks_[static_cast<std::size_t>(rank)]; }
  PeerTraffic& traffic_of(int rank, int peer) { return at(rank).traffic.peers[static_cast<std::size_t>(peer)]; }
  Queue& queue(int from, int to, Stream stream) { return queues_[{from, to, stream}]; }
  void wake_all();

  void require_working(int rank) const;
  void move(Lock& lock, MemorySend& send, MemoryReceive& receive);
  void wait(const MemoryEnd& end,
            fmt::format_string<std::int64_t, int> doing);  // `doing` formats the size and the peer
  void wait_until_still(Lock& lock, const MemoryEnd& end);
  void require_nothing_left_over(int rank);
  void fail(Exit exit, int culprit, int reporter, std::string text);
  [[noreturn]] void raise(int rank, const std::string& doing) const;

  const int parties_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::map<std::tuple<int, int, Stream>, Queue> queues_;
  std::optional<Failure> failure_;
  std::map<std::pair<int, int>, Secret> secrets_;  // by (lower, higher) rank
};

}  // namespace tacit::net
