#include "net/tcp/wire.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "net/error.h"

namespace tacit::net {

namespace {

// Largest number of bytes in one flush: so large that the system call costs little beside the
// encryption, and small enough to stay in the second-level cache between the two.
constexpr std::int64_t kOutboxBytes = 128 * 1024;

std::size_t unsigned_size(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

Wire::Wire(Descriptor socket) : socket_(std::move(socket)), outbox_(unsigned_size(kOutboxBytes)) {
  const int flags = ::fcntl(socket_.get(), F_GETFL);
  if (flags < 0 || ::fcntl(socket_.get(), F_SETFL, flags | O_NONBLOCK) < 0) {
    throw NetError("cannot use a connection: " + std::system_category().message(errno));
  }
  const int on = 1;
  // A socket that is not TCP needs no TCP_NODELAY.
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool Wire::flush() {
  while (outbox_begin_ < outbox_end_) {
    const auto waiting =
        ConstBytes(outbox_).subspan(unsigned_size(outbox_begin_), unsigned_size(outbox_end_ - outbox_begin_));
    const std::int64_t n = send_now(waiting);
    if (n == 0) return false;
    if (n < 0) throw NetError("the connection broke while sending: " + failure());
    outbox_begin_ += n;
  }
  outbox_begin_ = outbox_end_ = 0;
  return true;
}

void Wire::append_to_outbox(ConstBytes bytes) {
  TACIT_CHECK(std::ssize(bytes) <= room());
  if (bytes.empty()) return;
  std::memcpy(outbox_.data() + outbox_end_, bytes.data(), bytes.size());
  outbox_end_ += std::ssize(bytes);
}

std::int64_t Wire::send_now(ConstBytes bytes) noexcept {
  while (true) {
    const ssize_t n = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) {
      bytes_sent_ += n;
      return n;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    last_errno_ = errno;
    return kFailed;
  }
}

std::int64_t Wire::receive_now(Bytes bytes) noexcept {
  if (bytes.empty()) return 0;
  while (true) {
    const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (n > 0) {
      bytes_received_ += n;
      return n;
    }
    if (n == 0) return kClosed;
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    last_errno_ = errno;
    return kFailed;
  }
}

std::string Wire::failure() const { return std::system_category().message(last_errno_); }

std::int64_t PlainWire::write(ConstBytes bytes) {
  constexpr std::int64_t kWorthASystemCall = 16 * 1024;
  if (outbox_empty() && std::ssize(bytes) >= kWorthASystemCall) {
    const std::int64_t n = send_now(bytes);
    if (n < 0) throw NetError("the connection broke while sending: " + failure());
    return n;
  }
  const std::int64_t n = std::min(room(), std::ssize(bytes));
  append_to_outbox(bytes.first(unsigned_size(n)));
  return n;
}

std::int64_t PlainWire::read(Bytes bytes) {
  const std::int64_t n = receive_now(bytes);
  if (n == kFailed) throw NetError("the connection broke while receiving: " + failure());
  return n;
}

Secret PlainWire::export_key(std::string_view label, std::int64_t size) const {
  if (keys_ == PlaintextKeys::kRefused) {
    throw ConfigError(
        "this mesh is in plaintext, so its ranks share no key and masks would hide nothing: connect it with TLS "
        "(RendezvousOptions::plaintext = false)");
  }
  Secret key(size);
  const Bytes out = key.bytes();
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  TACIT_CHECK(context != nullptr && EVP_DigestInit_ex(context, EVP_shake256(), nullptr) == 1 &&
              EVP_DigestUpdate(context, label.data(), label.size()) == 1 &&
              EVP_DigestFinalXOF(context, reinterpret_cast<unsigned char*>(out.data()), out.size()) == 1);
  EVP_MD_CTX_free(context);
  return key;
}

void PlainWire::say_end() { ::shutdown(socket(), SHUT_WR); }

}  // namespace tacit::net
