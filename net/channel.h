// Channel carries ordered messages to and from one peer. Transfer is one message in progress.
//
// Both ends know the length of every message, since programs run in lock step. The receiver states
// the expected length, and a different length is a ProtocolError. The messages of one Stream arrive
// in the order of their sending. The streams of one channel are independent, so that an all-reduce
// in the background does not mix with the foreground.
//
// Threads: any thread may send or receive; one thread per (channel, stream, direction) at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "net/secret.h"

namespace tacit::net {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;
using Clock = std::chrono::steady_clock;

// Streams below 256 belong to the caller, the others to net.
using Stream = std::uint16_t;
inline constexpr Stream kMainStream = 0;
inline constexpr Stream kFirstReservedStream = 256;

// One send or receive, possibly in progress. The memory must stay valid until the Transfer is
// finished or destroyed. Destroying an unfinished Transfer abandons the message: no thread touches
// its memory once the destructor returns. If part of the message has moved, the channel is broken
// permanently.
class Transfer {
 public:
  class State {
   public:
    virtual ~State() = default;  // abandons the message
    virtual bool done() const = 0;
    virtual void wait() = 0;
    virtual Clock::time_point finished_at() const = 0;
  };

  Transfer() = default;  // an empty transfer is always done
  explicit Transfer(std::unique_ptr<State> state) : state_(std::move(state)) {}

  bool done() const { return !state_ || state_->done(); }

  // Returns when all bytes have moved. Throws NetError or ProtocolError, with the peer's name, when
  // they can no longer move or the mesh's deadline has passed. Wait for receives before sends: a
  // send may have to wait until the peer has room.
  void wait() {
    if (state_) state_->wait();
  }

  // The time at which the last byte moved. Valid once done.
  Clock::time_point finished_at() const { return state_ ? state_->finished_at() : Clock::time_point::min(); }

 private:
  std::unique_ptr<State> state_;
};

class Channel {
 public:
  virtual ~Channel() = default;

  virtual int peer() const = 0;

  // Queues one message that consists of the pieces in order, without a copy. Never blocks. The
  // bytes count as payload. At most kMaxPieces pieces.
  [[nodiscard]] virtual Transfer send(Stream stream, std::span<const ConstBytes> pieces) = 0;
  [[nodiscard]] virtual Transfer receive(Stream stream, std::span<const Bytes> pieces) = 0;

  // Queues a copy of a small message that the program does not wait for.
  virtual void post(Stream stream, ConstBytes message) = 0;

  // Returns keying material that only the two ends of this link share (RFC 5705 over TLS). Equal
  // labels and sizes give equal keys at both ends; different labels give independent keys.
  virtual Secret export_key(std::string_view label, std::int64_t size) const = 0;

  [[nodiscard]] Transfer send(Stream stream, ConstBytes message) { return send(stream, std::span(&message, 1)); }
  [[nodiscard]] Transfer receive(Stream stream, Bytes message) { return receive(stream, std::span(&message, 1)); }
};

inline constexpr std::int64_t kMaxPieces = 4096;
inline constexpr std::int64_t kMaxMessageBytes = std::int64_t{1} << 40;

}  // namespace tacit::net
