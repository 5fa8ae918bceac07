// SendQueue — what waits to leave on one lane: messages of several streams, and control frames ahead of them.
//
// Streams take turns frame by frame, so that a long message in the background does not hold up a short one.
// Threads: any.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "net/tcp/frame.h"

namespace tacit::net {

// A send that the program has asked for. It lives in its Transfer, or, if nobody waits for it, with the lanes.
struct Outgoing {
  Stream stream = 0;
  std::uint64_t number = 0;
  std::int64_t size = 0;
  std::vector<ConstBytes> pieces;
  std::vector<std::byte> copy;      // the bytes themselves, for a message that nobody waits for
  std::atomic<int> lanes_left = 1;  // that still have frames of it to take
  Clock::time_point finished_at{};  // valid once done
  std::atomic<bool> done = false;   // the last thing that a lane touches
};

struct OutgoingFrame {
  FrameHeader header;
  Outgoing* message = nullptr;     // none for control
  std::shared_ptr<Outgoing> kept;  // shared with the other lanes that carry frames of it
  std::vector<std::byte> control_body;
  bool last = false;  // of this message on this lane
};

class SendQueue {
 public:
  SendQueue(int lane, int lanes) : lane_(lane), lanes_(lanes) {}

  // How many lanes a message of this size has frames on.
  static int lanes_used(std::int64_t size, int lanes);

  void submit(Outgoing& message) { push({&message, nullptr, lane_ * kFrameBytes}); }
  void submit(std::shared_ptr<Outgoing> message);
  void control(FrameKind kind, ConstBytes body);

  std::optional<OutgoingFrame> pop();
  void withdraw(const Outgoing& message);
  bool empty() const;

 private:
  struct Entry {
    Outgoing* message;
    std::shared_ptr<Outgoing> kept;
    std::int64_t next_offset;
  };
  struct StreamQueue {
    Stream stream;
    std::deque<Entry> entries;
  };

  void push(Entry entry);
  std::optional<OutgoingFrame> pop_control();

  const int lane_;
  const int lanes_;
  mutable std::mutex mutex_;
  std::deque<OutgoingFrame> controls_;
  std::vector<StreamQueue> streams_;  // those with entries, in the order of their turns
  std::size_t turn_ = 0;
};

}  // namespace tacit::net
