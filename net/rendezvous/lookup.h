// Resolves a host name to addresses with the system's resolver.
#pragma once

#include <vector>

#include "net/error.h"
#include "net/rendezvous/loop.h"
#include "net/rendezvous/socket_address.h"

namespace tacit::net {

// The name has no address, or the resolver did not answer in time. The cause may be a wrong name,
// which the user can fix, or a slow DNS server.
class UnknownHost : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

// Returns at least one address, best first. The system's resolver has no deadline, so it runs in
// its own thread, which is left running if `deadline` passes.
Awaitable<std::vector<SocketAddress>> look_up(Loop& loop, Endpoint endpoint, Clock::time_point deadline);

}  // namespace tacit::net
