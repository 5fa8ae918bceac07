// SendQueue holds the frames that wait to leave on one lane. Control frames go ahead of messages.
//
// Streams take turns frame by frame, so that a long message in the background does not delay a
// short one. Threads: any.
#pragma once

#include <atomic>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "net/tcp/frame.h"

namespace tacit::net {

// A send that the program has asked for. Owner: the Transfer, or the lane if no thread waits for the send.
struct Outgoing {
  Stream stream = 0;
  std::uint64_t number = 0;
  std::int64_t size = 0;
  std::vector<ConstBytes> pieces;
  std::vector<std::byte> copy;      // the bytes themselves, for a message for which no thread waits
  Clock::time_point finished_at{};  // valid once done
  std::atomic<bool> done = false;   // the last thing that the lane touches
};

struct OutgoingFrame {
  FrameHeader header;
  Outgoing* message = nullptr;     // null for control
  std::unique_ptr<Outgoing> kept;  // the message, at its last frame, if no thread waits for it
  std::vector<std::byte> control_body;
  bool last = false;  // last frame of this message
};

class SendQueue {
 public:
  void submit(Outgoing& message) { push({&message, nullptr}); }
  void submit(std::unique_ptr<Outgoing> message);
  void control(FrameKind kind, ConstBytes body);

  std::optional<OutgoingFrame> pop();
  void withdraw(const Outgoing& message);
  bool empty() const;

 private:
  struct Entry {
    Outgoing* message;
    std::unique_ptr<Outgoing> kept;
    std::int64_t next_offset = 0;
  };
  struct StreamQueue {
    Stream stream = 0;
    std::list<Entry> entries;
  };

  void push(Entry entry);
  std::optional<OutgoingFrame> pop_control();

  mutable std::mutex mutex_;
  std::deque<OutgoingFrame> controls_;
  std::vector<StreamQueue> streams_;  // streams with entries, in the order of their turns
  std::size_t turn_ = 0;
};

}  // namespace tacit::net
