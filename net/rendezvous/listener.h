// Listening sockets, and what to do when a port or an address cannot be had.
#pragma once

#include <string>
#include <vector>

#include "net/descriptor.h"
#include "net/rendezvous/socket_address.h"

namespace tacit::net {

struct Listeners {
  std::vector<Descriptor> sockets;  // none: this machine has none of the addresses
  std::uint16_t port = 0;
  std::string text;  // "127.0.0.1:4711", "every interface, port 4711"
};

// At every one of the addresses that this machine has; for port 0 at the first of them, at any free port. ConfigError
// if a port cannot be had. `setting` is what the user would change, for messages: "MASTER_PORT".
Listeners listen_at(const std::vector<SocketAddress>& addresses, const std::string& setting);

// Where the others will call `where`, whose addresses are given as this machine resolves it: at those that it has, or
// at every interface if it has none of them, or only loopback ones for a name that others resolve differently.
Listeners listen_for_all(const Endpoint& where, const std::vector<SocketAddress>& addresses,
                         const std::string& setting);

// At every interface, IPv4 and IPv6.
Listeners listen_everywhere(std::uint16_t port, const std::string& setting);

}  // namespace tacit::net
