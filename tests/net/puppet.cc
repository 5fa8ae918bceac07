#include "tests/net/puppet.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <thread>

#include "net/error.h"
#include "net/tcp/tls.h"

namespace tacit::net {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds kPatience{10};

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

void wait_for(int socket) {
  pollfd wait{socket, POLLIN, 0};
  if (::poll(&wait, 1, 10'000) != 1) throw NetError("nothing came for ten seconds");
}

void shake_hands(TlsWire& wire) {
  while (!wire.handshake()) wait_for(wire.socket());
}

void read_exactly(Wire& wire, Bytes bytes) {
  while (!bytes.empty()) {
    const std::int64_t n = wire.read(bytes);
    if (n == Wire::kClosed) throw NetError("closed");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    if (n == 0) wait_for(wire.socket());
  }
}

}  // namespace

Descriptor connect_to(std::uint16_t port) {
  const sockaddr_in address = loopback(port);
  for (const auto end = Clock::now() + kPatience; Clock::now() < end; std::this_thread::sleep_for(5ms)) {
    Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return socket;
  }
  throw NetError("nobody listens at port " + std::to_string(port));
}

Descriptor listen_to(std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const sockaddr_in address = loopback(port);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), 16) != 0) {
    throw std::system_error(errno, std::system_category(), "listen");
  }
  return socket;
}

Puppet Puppet::call(std::uint16_t port, const Identity* identity, const Fingerprint& expected) {
  Puppet puppet;
  if (identity == nullptr) {
    puppet.wire_ = std::make_unique<PlainWire>(connect_to(port));
    return puppet;
  }
  const TlsContext context(*identity, {expected});
  auto wire = TlsWire::client(context, connect_to(port), expected);
  shake_hands(*wire);
  puppet.wire_ = std::move(wire);
  return puppet;
}

Puppet Puppet::answer(const Descriptor& listener, const Identity& identity, const Roster& roster) {
  wait_for(listener.get());
  const TlsContext context(identity, roster.fingerprints());
  auto wire = TlsWire::server(context, Descriptor(::accept(listener.get(), nullptr, nullptr)));
  shake_hands(*wire);
  Puppet puppet;
  puppet.wire_ = std::move(wire);
  return puppet;
}

void Puppet::say(const std::vector<std::byte>& message) {
  if (wire_->write(message) != std::ssize(message) || !wire_->flush()) throw NetError("a message got stuck");
}

Message Puppet::hear() {
  std::array<std::byte, kMessageHeaderBytes> header{};
  read_exactly(*wire_, header);
  Message message;
  message.header = parse_message_header(header);
  message.body.resize(static_cast<std::size_t>(message.header.length));
  read_exactly(*wire_, message.body);
  return message;
}

namespace {

Message hear_next(Puppet& puppet, MessageKind kind) {
  while (true) {
    Message message = puppet.hear();
    if (message.header.kind == kind) return message;
    if (message.header.kind != MessageKind::kMissing) throw ProtocolError("another message came");
  }
}

}  // namespace

Failure Puppet::hear_failure() { return parse_failure(hear_next(*this, MessageKind::kFailure).body); }

Welcome Puppet::hear_welcome(int size) { return parse_welcome(hear_next(*this, MessageKind::kWelcome).body, size); }

bool Puppet::is_hung_up_on() {
  try {
    while (true) hear();
  } catch (const NetError& error) {
    return std::string_view(error.what()) == "closed";
  }
}

Hello hello_of(int rank, int parties, std::uint16_t listening_port) {
  Hello hello;
  hello.world = {rank, parties, 0};
  hello.listening.port = listening_port;
  return hello;
}

}  // namespace tacit::net
