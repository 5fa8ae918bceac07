// Opens listening sockets, and explains how to fix an unavailable port or address.
#pragma once

#include <string>
#include <vector>

#include "net/descriptor.h"
#include "net/rendezvous/socket_address.h"

namespace tacit::net {

struct Listeners {
  std::vector<Descriptor> sockets;  // empty: this machine has none of the addresses
  std::uint16_t port = 0;
  std::string text;  // for logs: "127.0.0.1:4711", "every interface, port 4711"
};

// Listens at each of the addresses that this machine has. With port 0, listens only at the first
// such address, at any free port. Throws ConfigError if a port is unavailable. `setting` names the
// user's setting in errors, for example "MASTER_PORT".
Listeners listen_at(const std::vector<SocketAddress>& addresses, const std::string& setting);

// Listens at the address `where` that other ranks will call; `addresses` is its local resolution.
// Listens at every interface if this machine has none of the addresses. The same holds for a name
// that this machine resolves to loopback addresses only, since other machines may resolve it
// differently.
Listeners listen_for_all(const Endpoint& where, const std::vector<SocketAddress>& addresses,
                         const std::string& setting);

// Listens at every interface, IPv4 and IPv6.
Listeners listen_everywhere(std::uint16_t port, const std::string& setting);

}  // namespace tacit::net
