// FrameWriter takes frames from a lane's queue and writes them to its wire, as far as the socket
// accepts them.
//
// Small frames are staged, so that header and body leave in one TLS record. Long bodies are
// encrypted directly from the caller's memory. Requires the lane's work lock.
#pragma once

#include "net/tcp/send_queue.h"
#include "net/tcp/wire.h"

namespace tacit::net {

class FrameWriter {
 public:
  enum class Result { kIdle, kBlocked, kMore };  // queue empty, socket full, bound reached

  FrameWriter(SendQueue& queue, Wire& wire) : queue_(queue), wire_(wire) {}

  // Throws NetError if the connection is broken.
  Result write();

  // Forgets a message. If a frame of the message is partly sent, its rest is sent from a copy.
  // Otherwise the peer would take the following bytes, such as an abort report, for data.
  void withdraw(const Outgoing& message);

  // Returns true once after messages have been finished.
  bool take_finished() { return std::exchange(finished_, false); }
  bool idle() const { return staged_sent_ == std::ssize(staged_) && body_left_ == 0 && wire_.outbox_empty(); }

 private:
  bool fill();        // true: no frames are left; false: the outbox is full
  bool next_frame();  // false if the queue is empty
  void copy_body();   // appends the rest of the body to `staged_`
  ConstBytes next_piece() const;
  void advance_body(std::int64_t n);
  void frame_taken();

  SendQueue& queue_;
  Wire& wire_;
  std::vector<std::byte> staged_;  // leaves before `body_`
  std::int64_t staged_sent_ = 0;
  OutgoingFrame frame_;
  std::span<const ConstBytes> body_;  // the rest of the frame
  std::int64_t body_at_ = 0;          // offset in the first piece
  std::int64_t body_left_ = 0;
  bool finished_ = false;
};

}  // namespace tacit::net
