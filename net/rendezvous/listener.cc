#include "net/rendezvous/listener.h"

#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "net/error.h"

namespace tacit::net {

namespace {

constexpr int kBacklog = 1024;

[[noreturn]] void refuse(const SocketAddress& address, const std::string& setting, int error) {
  const std::string where = address.text();
  const std::uint16_t port = address.endpoint().port;
  if (error == EADDRINUSE) {
    throw ConfigError(fmt::format(
        "cannot listen at {}: port {} is in use by another process (a previous run that has not ended?); end that "
        "process or choose another port: set {}",
        where, port, setting));
  }
  if (error == EACCES) {
    throw ConfigError(fmt::format("cannot listen at {}: you may not use port {}; choose one above 1023: set {}", where,
                                  port, setting));
  }
  throw ConfigError(
      fmt::format("cannot listen at {}: {}; check {}", where, std::system_category().message(error), setting));
}

// Empty if this machine lacks the address or the address family.
std::optional<Descriptor> try_to_listen(const SocketAddress& address, bool dual, const std::string& setting) {
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket && errno == EAFNOSUPPORT) return std::nullopt;
  if (!socket) refuse(address, setting, errno);
  const int on = 1;
  const int ipv6_only = dual ? 0 : 1;
  // Without SO_REUSEADDR, a restart would have to wait for old connections to expire.
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.family() == AF_INET6) {
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &ipv6_only, sizeof ipv6_only);
  }
  if (::bind(socket.get(), address.get(), address.size()) != 0) {
    if (errno == EADDRNOTAVAIL) return std::nullopt;
    refuse(address, setting, errno);
  }
  if (::listen(socket.get(), kBacklog) != 0) refuse(address, setting, errno);
  return socket;
}

// True for a host name that /etc/hosts maps to a loopback address, as some distributions do for the
// machine's own name. Other machines resolve that name to a different address, at which this
// process would not listen.
bool hides_behind_loopback(const std::string& host, const std::vector<SocketAddress>& addresses) {
  const bool all_loopback =
      std::all_of(addresses.begin(), addresses.end(), [](const SocketAddress& a) { return a.is_loopback(); });
  const bool is_address = addresses.front().endpoint().host == host;
  return all_loopback && !is_address && host.find("localhost") == std::string::npos;
}

}  // namespace

Listeners listen_at(const std::vector<SocketAddress>& addresses, const std::string& setting) {
  Listeners listeners;
  for (const SocketAddress& address : addresses) {
    if (listeners.port != 0 && address.endpoint().port == 0) break;
    auto socket = try_to_listen(address, false, setting);
    if (!socket) continue;
    const SocketAddress bound = SocketAddress::of_this_end(socket->get());
    listeners.port = bound.endpoint().port;
    listeners.text += (listeners.text.empty() ? "" : " and ") + bound.text();
    listeners.sockets.push_back(std::move(*socket));
  }
  return listeners;
}

Listeners listen_everywhere(std::uint16_t port, const std::string& setting) {
  auto socket = try_to_listen(SocketAddress::any(AF_INET6, port), true, setting);
  if (!socket) socket = try_to_listen(SocketAddress::any(AF_INET, port), false, setting);
  if (!socket) refuse(SocketAddress::any(AF_INET, port), setting, EADDRNOTAVAIL);
  Listeners listeners;
  listeners.port = SocketAddress::of_this_end(socket->get()).endpoint().port;
  listeners.text = fmt::format("every interface, port {}", listeners.port);
  listeners.sockets.push_back(std::move(*socket));
  return listeners;
}

Listeners listen_for_all(const Endpoint& where, const std::vector<SocketAddress>& addresses,
                         const std::string& setting) {
  if (hides_behind_loopback(where.host, addresses)) return listen_everywhere(where.port, setting);
  Listeners listeners = listen_at(addresses, setting);
  // The address may belong to a router that forwards the port to this machine.
  return listeners.sockets.empty() ? listen_everywhere(where.port, setting) : std::move(listeners);
}

}  // namespace tacit::net
