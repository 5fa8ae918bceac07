#include "net/rendezvous/socket_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "net/error.h"

namespace tacit::net {

namespace {

sockaddr_in& as_ipv4(sockaddr_storage& storage) { return reinterpret_cast<sockaddr_in&>(storage); }
sockaddr_in6& as_ipv6(sockaddr_storage& storage) { return reinterpret_cast<sockaddr_in6&>(storage); }
const sockaddr_in& as_ipv4(const sockaddr_storage& storage) { return reinterpret_cast<const sockaddr_in&>(storage); }
const sockaddr_in6& as_ipv6(const sockaddr_storage& storage) { return reinterpret_cast<const sockaddr_in6&>(storage); }

bool is_mapped_ipv4(const sockaddr_storage& storage) {
  return storage.ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&as_ipv6(storage).sin6_addr);
}

constexpr std::string_view kMappedPrefix = "::ffff:";

}  // namespace

SocketAddress::SocketAddress(const sockaddr* address, socklen_t size) : size_(size) {
  TACIT_CHECK(size <= sizeof storage_);
  std::memcpy(&storage_, address, size);
}

SocketAddress SocketAddress::any(int family, std::uint16_t port) {
  SocketAddress a;
  a.storage_.ss_family = static_cast<sa_family_t>(family);
  a.size_ = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  return a.with_port(port);  // all bytes are zero: INADDR_ANY, in6addr_any
}

SocketAddress SocketAddress::of_this_end(int socket) {
  SocketAddress a;
  TACIT_CHECK(::getsockname(socket, reinterpret_cast<sockaddr*>(&a.storage_), &a.size_) == 0);
  return a;
}

SocketAddress SocketAddress::of_other_end(int socket) {
  SocketAddress a;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&a.storage_), &a.size_) != 0) {
    throw NetError("the connection is gone: " + std::system_category().message(errno));
  }
  return a;
}

Endpoint SocketAddress::endpoint() const {
  if (family() != AF_INET && family() != AF_INET6) return {"a local socket", 0};
  std::array<char, NI_MAXHOST> host{};
  const int failed = ::getnameinfo(get(), size_, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST);
  TACIT_CHECK(failed == 0);
  std::string text = host.data();
  if (is_mapped_ipv4(storage_)) text.erase(0, kMappedPrefix.size());
  const std::uint16_t port = family() == AF_INET ? as_ipv4(storage_).sin_port : as_ipv6(storage_).sin6_port;
  return {text, ntohs(port)};
}

bool SocketAddress::is_loopback() const {
  if (family() == AF_INET) return ntohl(as_ipv4(storage_).sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  if (is_mapped_ipv4(storage_)) return as_ipv6(storage_).sin6_addr.s6_addr[12] == IN_LOOPBACKNET;
  return family() == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&as_ipv6(storage_).sin6_addr);
}

SocketAddress SocketAddress::with_port(std::uint16_t port) const {
  SocketAddress a = *this;
  (family() == AF_INET ? as_ipv4(a.storage_).sin_port : as_ipv6(a.storage_).sin6_port) = htons(port);
  return a;
}

}  // namespace tacit::net
