// Inbox — the messages that arrive from one peer: where their bytes go, and when they are complete.
//
// A message whose receive is posted already is written straight to the caller's memory. One that comes early is kept
// here as long as the early messages of this peer fit kMaxEarlyBytes; beyond that its lane stops reading, TCP holds the
// sender back, and memory stays bounded.
//
// Threads: any; every function takes the lock. The memory behind a Slot is written by the lane that holds it, without
// the lock: withdraw() may only be called while no lane works (see TcpChannel).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "net/tcp/frame.h"

namespace tacit::net {

inline constexpr std::int64_t kMaxEarlyBytes = 64 << 20;

// A receive that the program has asked for; lives in its Transfer.
struct Incoming {
  Stream stream = 0;
  std::int64_t size = 0;
  std::vector<Bytes> pieces;
  std::uint64_t number = 0;
  Clock::time_point finished_at{};  // valid once done
  std::atomic<bool> done = false;   // the last thing that the inbox touches
};

class Inbox {
 public:
  // Where the frame at hand goes: a place in the pieces of a receive, or in the inbox's own memory.
  class Slot {
   public:
    Bytes next() const;  // the bytes to be written next; empty when the frame is complete
    void advance(std::int64_t n);
    std::int64_t left() const { return left_; }

   private:
    friend class Inbox;
    std::span<const Bytes> pieces_;
    std::int64_t at_ = 0;  // in the first piece
    std::int64_t left_ = 0;
    std::pair<Stream, std::uint64_t> key_;
    std::int64_t length_ = 0;
  };

  // Posts a receive; it may be done at once. Throws ProtocolError if the message is there and has another size.
  void post(Incoming& receive);
  void withdraw(Incoming& receive);

  // The frame's place; false: no room for an early message, stop reading until the next post().
  // Throws ProtocolError when the frame is not the one that must come next, or the size isn't the posted one.
  bool accept(const FrameHeader& header, Slot& slot);

  // The frame is complete in its slot. True if that finished a posted receive.
  bool arrived(const Slot& slot);

  // Of finished receives: what has come early counts when it is asked for, so that an epoch's traffic is its own.
  std::int64_t payload_bytes() const { return payload_bytes_.load(std::memory_order_relaxed); }
  std::int64_t messages() const { return messages_.load(std::memory_order_relaxed); }
  std::int64_t unclaimed() const;  // messages that arrived, in part or whole, and that nobody has asked for

 private:
  struct Message {
    std::int64_t size = 0;
    std::int64_t received = 0;
    bool complete = false;
    std::int64_t next = 0;        // offset of the frame that must come next
    Incoming* receive = nullptr;  // who waits for it, if anybody yet
    std::int64_t early_cost = 0;  // what it takes of kMaxEarlyBytes; 0 if its receive was there first
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
