// The addresses of a host, from the system's resolver.
#pragma once

#include <vector>

#include "net/error.h"
#include "net/rendezvous/loop.h"
#include "net/rendezvous/socket_address.h"

namespace tacit::net {

// The name has no address, or the resolver did not answer in time. The user can fix it; DNS may also just be late.
class UnknownHost : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

// All addresses, best first; never none. The resolver itself knows no deadline: it runs in a thread of its own, which
// is left behind when ours passes.
Awaitable<std::vector<SocketAddress>> look_up(Loop& loop, Endpoint endpoint, Clock::time_point deadline);

}  // namespace tacit::net
