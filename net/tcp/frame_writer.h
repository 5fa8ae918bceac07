// FrameWriter — takes frames from a lane's queue and writes them to its wire, as far as the socket goes.
//
// Small frames are staged: header and body leave in one TLS record. Long bodies go from the caller's memory straight
// into the cipher. Used under the lane's work lock.
#pragma once

#include "net/tcp/send_queue.h"
#include "net/tcp/wire.h"

namespace tacit::net {

class FrameWriter {
 public:
  enum class Result { kIdle, kBlocked, kMore };  // nothing left, the socket is full, the bound was reached

  FrameWriter(SendQueue& queue, Wire& wire) : queue_(queue), wire_(wire) {}

  // Throws NetError when the connection is broken.
  Result write();

  // Forgets a message. The frame of it that is under way is finished from a copy: the peer must never take other
  // bytes for data, not even when what follows is the news of our failure.
  void withdraw(const Outgoing& message);

  // True once after messages have been finished.
  bool take_finished() { return std::exchange(finished_, false); }
  bool idle() const { return staged_sent_ == std::ssize(staged_) && body_left_ == 0 && wire_.outbox_empty(); }

 private:
  bool fill();        // until the outbox is full (false) or nothing is left (true)
  bool next_frame();  // false when there is none
  void copy_body();   // what is left of it, behind what is staged
  ConstBytes next_piece() const;
  void advance_body(std::int64_t n);
  void frame_taken();

  SendQueue& queue_;
  Wire& wire_;
  std::vector<std::byte> staged_;  // leaves first
  std::int64_t staged_sent_ = 0;
  OutgoingFrame frame_;
  std::span<const ConstBytes> body_;  // then these pieces
  std::int64_t body_at_ = 0;          // in the first of them
  std::int64_t body_left_ = 0;
  bool finished_ = false;
};

}  // namespace tacit::net
