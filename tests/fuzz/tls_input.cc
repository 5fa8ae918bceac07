#include "tests/fuzz/tls_input.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "net/error.h"

namespace tacit::net {

namespace {

std::pair<Descriptor, Descriptor> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    throw std::system_error(errno, std::system_category(), "socketpair");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool completes(TlsWire& wire, const Descriptor& stranger, const std::uint8_t* data, std::size_t size) {
  bool complete = false;
  try {
    wire.handshake();  // a client speaks first
    if (size > 0) ::send(stranger.get(), data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    ::shutdown(stranger.get(), SHUT_WR);
    complete = wire.handshake();
    complete = wire.handshake() || complete;
  } catch (const NetError&) {
  }
  return complete;
}

std::string sent_so_far(const Descriptor& socket) {
  std::array<char, 16384> bytes{};
  const ssize_t n = ::recv(socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
}

}  // namespace

const TlsEnds& tls_ends() {
  static const TlsEnds ends;
  return ends;
}

bool server_completes_on(const std::uint8_t* data, std::size_t size) {
  auto [stranger, ours] = socket_pair();
  const auto wire = TlsWire::server(tls_ends().our_context, std::move(ours));
  return completes(*wire, stranger, data, size);
}

bool client_completes_on(const std::uint8_t* data, std::size_t size) {
  auto [stranger, ours] = socket_pair();
  const auto wire = TlsWire::client(tls_ends().our_context, std::move(ours), tls_ends().theirs.fingerprint());
  return completes(*wire, stranger, data, size);
}

std::string first_flight_of_client() {
  auto [listener, theirs] = socket_pair();
  const auto wire = TlsWire::client(tls_ends().their_context, std::move(theirs), tls_ends().ours.fingerprint());
  wire->handshake();
  return sent_so_far(listener);
}

std::string first_flight_of_server() {
  auto [client_end, server_end] = socket_pair();
  const auto client = TlsWire::client(tls_ends().our_context, std::move(client_end), tls_ends().theirs.fingerprint());
  auto [stranger, relayed] = socket_pair();
  const auto server = TlsWire::server(tls_ends().their_context, std::move(relayed));
  client->handshake();
  const std::string hello = sent_so_far(server_end);
  ::send(stranger.get(), hello.data(), hello.size(), MSG_DONTWAIT);
  server->handshake();
  return sent_so_far(stranger);
}

}  // namespace tacit::net
