// Channel — ordered messages to and from one peer; Transfer — one message on its way.
//
// A message is a number of bytes that both ends know: programs run in lock step, so a receiver states the length that
// it expects, and another length is a ProtocolError. Messages of one Stream arrive in the order of their sending;
// streams of one channel are independent, so that an all-reduce in the background does not mix with the foreground.
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

// Streams below 256 belong to the caller; the rest is net's own.
using Stream = std::uint16_t;
inline constexpr Stream kMainStream = 0;
inline constexpr Stream kBackgroundStream = 1;
inline constexpr Stream kFirstReservedStream = 256;

// One send or receive that may still be under way. Its memory must stay valid until the Transfer is finished or gone.
// A Transfer that is destroyed before it finished is abandoned: nothing touches its memory once the destructor
// returns. If part of its message had moved already the channel is broken for good.
class Transfer {
 public:
  class State {
   public:
    virtual ~State() = default;  // abandons
    virtual bool done() const = 0;
    virtual void wait() = 0;
    virtual Clock::time_point finished_at() const = 0;
  };

  Transfer() = default;  // nothing to wait for
  explicit Transfer(std::unique_ptr<State> state) : state_(std::move(state)) {}

  bool done() const { return !state_ || state_->done(); }

  // Returns when all bytes have moved. Throws NetError or ProtocolError, with the peer's name, when they never will or
  // the mesh's deadline has passed. Wait for receives before sends: a send may finish only when the peer has room for
  // it.
  void wait() {
    if (state_) state_->wait();
  }

  // When the last byte moved; only once done.
  Clock::time_point finished_at() const { return state_ ? state_->finished_at() : Clock::time_point::min(); }

 private:
  std::unique_ptr<State> state_;
};

class Channel {
 public:
  virtual ~Channel() = default;

  virtual int peer() const = 0;

  // Queues one message made of the pieces one after the other (gathered and scattered without a copy). Never blocks.
  // The bytes count as payload. At most kMaxPieces pieces.
  [[nodiscard]] virtual Transfer send(Stream stream, std::span<const ConstBytes> pieces) = 0;
  [[nodiscard]] virtual Transfer receive(Stream stream, std::span<const Bytes> pieces) = 0;

  // Queues a message that the channel keeps a copy of: for small things that nobody wants to wait for.
  virtual void post(Stream stream, ConstBytes message) = 0;

  // Keying material that both ends of this link share and nobody else has (RFC 5705 over TLS): equal at both ends for
  // equal labels and sizes, independent for different labels.
  virtual Secret export_key(std::string_view label, std::int64_t size) const = 0;

  [[nodiscard]] Transfer send(Stream stream, ConstBytes message) { return send(stream, std::span(&message, 1)); }
  [[nodiscard]] Transfer receive(Stream stream, Bytes message) { return receive(stream, std::span(&message, 1)); }
};

inline constexpr std::int64_t kMaxPieces = 4096;
inline constexpr std::int64_t kMaxMessageBytes = std::int64_t{1} << 40;

}  // namespace tacit::net
