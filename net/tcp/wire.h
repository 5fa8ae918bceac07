// Wire is one connected, non-blocking TCP socket: in plaintext (PlainWire, tests and benchmarks
// only) or with TLS (TlsWire).
//
// A Wire carries bytes and knows no messages. One thread at a time may use it, and no function
// blocks.
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

  // Takes bytes to send, encrypts them into the outbox, and returns how many it took. A full outbox
  // takes fewer or none. flush() sends them.
  virtual std::int64_t write(ConstBytes bytes) = 0;

  // Sends the contents of the outbox as far as the socket takes them. Returns true when the outbox
  // is empty. Throws NetError if the connection is broken.
  bool flush();
  bool outbox_empty() const { return outbox_begin_ == outbox_end_; }

  // Reads and decrypts up to bytes.size() bytes directly into `bytes`. Returns the number of bytes
  // read, 0 if none are available now, and kClosed if the peer has closed. Throws NetError if the
  // connection is broken or its bytes are not authentic. Poll the socket only after a 0: before
  // that, the wire may hold buffered bytes, and no poll announces them.
  static constexpr std::int64_t kClosed = -1;
  virtual std::int64_t read(Bytes bytes) = 0;

  // See Channel::export_key.
  virtual Secret export_key(std::string_view label, std::int64_t size) const = 0;

  // Closes this direction, and tells the peer so as far as the socket takes it.
  virtual void say_end() = 0;

  std::int64_t bytes_sent() const { return bytes_sent_; }          // on the socket
  std::int64_t bytes_received() const { return bytes_received_; }  // on the socket

 protected:
  static constexpr std::int64_t kFailed = -2;

  std::int64_t room() const { return static_cast<std::int64_t>(outbox_.size()) - outbox_end_; }
  void append_to_outbox(ConstBytes bytes);  // at most room() bytes

  // Send to and receive from the socket directly. 0: the call would block. kClosed: the socket has
  // ended. kFailed: the socket is broken (see failure()).
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

// Decides whether a plaintext link exports keys. The keys are hashes of their public labels, so
// masks made from these keys hide nothing. kPublicForTests is for tests and benchmarks of sessions only.
enum class PlaintextKeys { kRefused, kPublicForTests };

// No encryption and no authentication: for tests and for measuring the cost of TLS.
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
