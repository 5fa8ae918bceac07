#include "net/rendezvous/reserved_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>

#include "net/error.h"

namespace tacit::net {

namespace {

// Binds without SO_REUSEADDR, so that bind() fails if any other socket has the port. Sets
// SO_REUSEADDR afterwards, so that the actual listener may bind, too. Empty if the port is taken.
Descriptor reserve(int family, const sockaddr* address, socklen_t size) {
  Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) throw std::system_error(errno, std::system_category(), "socket");
  const int on = 1;
  if (family == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (::bind(socket.get(), address, size) != 0) return {};
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) {
    throw std::system_error(errno, std::system_category(), "SO_REUSEADDR");
  }
  return socket;
}

Descriptor reserve_ipv4(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return reserve(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

Descriptor reserve_ipv6(std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(port);
  return reserve(AF_INET6, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace

bool has_ipv6() {
  static const bool has = [] {
    try {
      return static_cast<bool>(reserve_ipv6(0));
    } catch (const std::system_error&) {
      return false;
    }
  }();
  return has;
}

// Chooses below the range of the kernel's ports for outgoing connections, so that no outgoing
// connection can take the port.
ReservedPort::ReservedPort() {
  std::random_device random;
  std::uniform_int_distribution<int> ports(12000, 32000);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    number_ = static_cast<std::uint16_t>(ports(random));
    ipv4_ = reserve_ipv4(number_);
    if (!ipv4_) continue;
    if (!has_ipv6()) return;
    ipv6_ = reserve_ipv6(number_);
    if (ipv6_) return;
  }
  throw ConfigError("no port of 127.0.0.1 between 12000 and 32000 is free; end some of the programs that listen there");
}

}  // namespace tacit::net
