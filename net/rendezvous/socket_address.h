// SocketAddress is an IPv4 or IPv6 address and a port, in the kernel's format.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "net/rendezvous/endpoint.h"

namespace tacit::net {

class SocketAddress {
 public:
  SocketAddress(const sockaddr* address, socklen_t size);
  static SocketAddress any(int family, std::uint16_t port);  // every interface
  static SocketAddress of_this_end(int socket);
  static SocketAddress of_other_end(int socket);  // throws NetError if the connection is gone

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }

  Endpoint endpoint() const;  // an IPv4 address stays IPv4 even if it arrived through an IPv6 socket
  std::string text() const { return endpoint().text(); }
  bool is_loopback() const;
  SocketAddress with_port(std::uint16_t port) const;

 private:
  SocketAddress() = default;

  sockaddr_storage storage_{};
  socklen_t size_ = sizeof(sockaddr_storage);
};

}  // namespace tacit::net
