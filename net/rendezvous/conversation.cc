#include "net/rendezvous/conversation.h"

#include <poll.h>

#include <array>
#include <cerrno>

#include "net/error.h"

namespace tacit::net {

namespace {

constexpr std::int64_t kMostUnread = 256 * 1024;

}  // namespace

Conversation::Conversation(Loop& loop, Descriptor connected, const SocketAddress& other_end)
    : other_end_(other_end), socket_(std::move(connected)), watch_(std::in_place, loop, socket_.get()) {}

Task Conversation::answer(const TlsContext* tls, Clock::time_point deadline) {
  const bool spoke = co_await watch_->readable(deadline);
  if (!spoke) throw NetError("it said nothing in time");
  if (tls == nullptr) {
    wire_ = std::make_unique<PlainWire>(std::move(socket_));
    co_return;
  }
  auto wire = TlsWire::server(*tls, std::move(socket_));
  TlsWire& shaking = *wire;
  wire_ = std::move(wire);
  co_await shake_hands(shaking, deadline);
}

Task Conversation::call(const TlsContext* tls, Fingerprint expected, Clock::time_point deadline) {
  if (tls == nullptr) {
    wire_ = std::make_unique<PlainWire>(std::move(socket_));
    co_return;
  }
  auto wire = TlsWire::client(*tls, std::move(socket_), expected);
  TlsWire& shaking = *wire;
  wire_ = std::move(wire);
  co_await shake_hands(shaking, deadline);
}

Task Conversation::shake_hands(TlsWire& wire, Clock::time_point deadline) {
  while (!wire.handshake()) {
    bool in_time = false;
    if (wire.outbox_empty()) {
      in_time = co_await watch_->readable(deadline);
    } else {
      in_time = co_await watch_->writable(deadline);
    }
    if (!in_time) throw NetError("it did not complete the TLS handshake in time");
  }
  peer_key_ = wire.peer();
}

Task Conversation::send(std::vector<std::byte> message, Clock::time_point deadline) {
  ConstBytes left(message);
  while (true) {
    left = left.subspan(static_cast<std::size_t>(wire_->write(left)));
    const bool flushed = wire_->flush();
    if (flushed && left.empty()) co_return;
    if (flushed) continue;
    const bool in_time = co_await watch_->writable(deadline);
    if (!in_time) throw NetError("it did not take a message in time");
  }
}

Awaitable<Message> Conversation::receive(Clock::time_point deadline) {
  std::array<std::byte, kMessageHeaderBytes> header{};
  co_await read_exactly(header, deadline);
  Message message;
  message.header = parse_message_header(header);
  const bool readable = message.header.version == kRendezvousVersion || message.header.kind == MessageKind::kFailure;
  if (!readable) co_return message;
  message.body.resize(
      static_cast<std::size_t>(message.header.length));  // the parser has checked the limit of this kind
  co_await read_exactly(message.body, deadline);
  co_return message;
}

Task Conversation::read_exactly(Bytes bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const std::int64_t n = wire_->read(bytes);
    if (n == Wire::kClosed) throw NetError("it closed the connection");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    if (n > 0) continue;
    const bool in_time = co_await watch_->readable(deadline);
    if (!in_time) throw NetError("it did not send a message in time");
  }
}

Task Conversation::part(Clock::time_point deadline) {
  try {
    if (wire_) wire_->say_end();
  } catch (const NetError&) {
    co_return;  // the other end has closed already
  }
  ::shutdown(socket(), SHUT_WR);
  std::array<std::byte, 4096> unread{};
  for (std::int64_t total = 0; total < kMostUnread;) {
    const ssize_t n = ::recv(socket(), unread.data(), unread.size(), MSG_DONTWAIT);
    if (n > 0) total += n;
    if (n > 0) continue;
    if (n == 0 || (errno != EAGAIN && errno != EINTR)) co_return;
    const bool in_time = co_await watch_->readable(deadline);
    if (!in_time) co_return;
  }
}

bool Conversation::closed_by_peer() const {
  pollfd state{socket(), POLLRDHUP, 0};
  return ::poll(&state, 1, 0) == 1;
}

std::unique_ptr<Wire> Conversation::take_wire() {
  watch_.reset();
  return std::move(wire_);
}

}  // namespace tacit::net
