// Inbox assembles the messages from one peer. The inbox provides the memory for each frame, and
// knows when a message is complete.
//
// If the receive is already posted, the message is written directly to the caller's memory. An
// early message is kept in the inbox, while the early messages of this peer fit into
// kMaxEarlyBytes. At that limit the lane stops reading, and TCP holds the sender back. Memory
// is therefore bounded.
//
// Threads: any; every function takes the lock. A lane writes to the memory of its Slot without the
// lock. Call withdraw() only while no lane works (see TcpChannel).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "net/tcp/frame.h"

namespace tacit::net {

inline constexpr std::int64_t kMaxEarlyBytes = 64 << 20;

// A receive that the program has posted. The Transfer owns it.
struct Incoming {
  Stream stream = 0;
  std::int64_t size = 0;
  std::vector<Bytes> pieces;
  std::uint64_t number = 0;
  Clock::time_point finished_at{};  // valid when `done`
  std::atomic<bool> done = false;   // written last by the inbox
};

class Inbox {
 public:
  // The place of the current frame: in the pieces of a receive, or in the inbox's own memory.
  class Slot {
   public:
    Bytes next() const;  // the next bytes to write; empty when the frame is complete
    void advance(std::int64_t n);
    std::int64_t left() const { return left_; }

   private:
    friend class Inbox;
    std::span<const Bytes> pieces_;
    std::int64_t at_ = 0;  // offset in the first piece
    std::int64_t left_ = 0;
    std::pair<Stream, std::uint64_t> key_;
    std::int64_t length_ = 0;
  };

  // Posts a receive, which may be done at once. Throws ProtocolError if the message is there and has another size.
  void post(Incoming& receive);
  void withdraw(Incoming& receive);

  // The frame's place; false: no room for an early message, stop reading until the next post().
  // Throws ProtocolError when the frame is not the one that must come next, or the size isn't the posted one.
  bool accept(const FrameHeader& header, Slot& slot);

  // Marks the frame in `slot` as complete. Returns true if this finishes a posted receive.
  bool arrived(const Slot& slot);

  // Bytes of finished receives. An early message counts when its receive is posted, so that each
  // epoch's traffic contains its own messages.
  std::int64_t payload_bytes() const { return payload_bytes_.load(std::memory_order_relaxed); }
  std::int64_t messages() const { return messages_.load(std::memory_order_relaxed); }
  std::int64_t unclaimed() const;  // messages that arrived, whole or in part, without a posted receive

 private:
  struct Message {
    std::int64_t size = 0;
    std::int64_t received = 0;
    bool complete = false;
    std::int64_t next = 0;        // offset of the frame that must come next
    Incoming* receive = nullptr;  // its receive, if posted already
    std::int64_t early_cost = 0;  // its part of kMaxEarlyBytes; 0 if the receive was posted first
    std::unique_ptr<std::byte[]> early;
    Bytes early_piece;
  };
  struct StreamState {
    std::uint64_t posted = 0;      // receives so far
    std::uint64_t next_begin = 0;  // the message that must begin next
  };
  using Key = std::pair<Stream, std::uint64_t>;

  void finish(std::map<Key, Message>::iterator message);

  mutable std::mutex mutex_;
  std::map<Key, Message> messages_by_key_;
  std::map<Stream, StreamState> streams_;
  std::int64_t early_bytes_ = 0;
  std::atomic<std::int64_t> payload_bytes_ = 0;
  std::atomic<std::int64_t> messages_ = 0;
};

}  // namespace tacit::net
