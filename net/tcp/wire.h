// Wire — one connected, non-blocking TCP socket, in plaintext (PlainWire, tests and benchmarks only) or TLS (TlsWire).
//
// A Wire knows bytes, not messages. One thread at a time may use it; nothing here blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/channel.h"
#include "net/descriptor.h"

namespace tacit::net {

class Wire {
 public:
  explicit Wire(Descriptor socket);  // sets O_NONBLOCK and TCP_NODELAY
  virtual ~Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  int socket() const { return socket_.get(); }

  // Takes bytes to be sent, encrypting them into the outbox, and returns how many it took: fewer than given, or none,
  // when the outbox is full. They leave with flush().
  virtual std::int64_t write(ConstBytes bytes) = 0;

  // Sends what the outbox holds as far as the socket takes it. True when nothing is left in it.
  // Throws NetError when the connection is broken.
  bool flush();
  bool outbox_empty() const { return outbox_begin_ == outbox_end_; }

  // Reads and decrypts up to bytes.size() bytes straight into `bytes`: n > 0 bytes read, 0 when nothing is there now,
  // kClosed when the peer has closed. Throws NetError when the connection is broken or its bytes are not authentic.
  // Poll the socket only after a 0: until then bytes may be buffered inside, and no poll would announce them.
  static constexpr std::int64_t kClosed = -1;
  virtual std::int64_t read(Bytes bytes) = 0;

  // See Channel::export_key.
  virtual Secret export_key(std::string_view label, std::int64_t size) const = 0;

  // Tells the peer, as far as the socket takes it, that nothing more follows, and closes this direction.
  virtual void say_end() = 0;

  std::int64_t bytes_sent() const { return bytes_sent_; }          // on the socket
  std::int64_t bytes_received() const { return bytes_received_; }  // on the socket

 protected:
  static constexpr std::int64_t kFailed = -2;

  std::int64_t room() const { return static_cast<std::int64_t>(outbox_.size()) - outbox_end_; }
  void append_to_outbox(ConstBytes bytes);  // at most room() bytes

  // Straight to and from the socket: 0 when it would block, kClosed at its end, kFailed when it is broken (see
  // failure()).
  std::int64_t send_now(ConstBytes bytes) noexcept;
  std::int64_t receive_now(Bytes bytes) noexcept;
  std::string failure() const;

 private:
  Descriptor socket_;
  std::vector<std::byte> outbox_;
  std::int64_t outbox_begin_ = 0;
  std::int64_t outbox_end_ = 0;
  std::int64_t bytes_sent_ = 0;
  std::int64_t bytes_received_ = 0;
  int last_errno_ = 0;
};

// Whether a plaintext link exports keys. They are hashes of their labels, which everybody knows: masks made of them
// hide nothing, so kPublicForTests is for tests and benchmarks of sessions alone.
enum class PlaintextKeys { kRefused, kPublicForTests };

// No encryption, no authentication: for tests and for measuring what TLS costs.
class PlainWire final : public Wire {
 public:
  explicit PlainWire(Descriptor socket, PlaintextKeys keys = PlaintextKeys::kRefused)
      : Wire(std::move(socket)), keys_(keys) {}
  std::int64_t write(ConstBytes bytes) override;
  std::int64_t read(Bytes bytes) override;
  Secret export_key(std::string_view label, std::int64_t size) const override;  // ConfigError if refused
  void say_end() override;

 private:
  const PlaintextKeys keys_;
};

}  // namespace tacit::net
