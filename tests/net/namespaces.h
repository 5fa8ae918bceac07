// Hosts — separate machines made of network namespaces, each with its own cable (veth) to one
// switch (a bridge).
//
// A namespace has no name here, only a descriptor. Closing the descriptors removes the namespaces
// with their addresses and cables, even after a failure or when the test is killed. The machine's
// own network is not touched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/descriptor.h"

namespace tacit::net {

// A network that has only a loopback interface.
Descriptor empty_network();

class Hosts {
 public:
  // The reason why hosts cannot be made here, for GTEST_SKIP; empty if they can.
  static std::string missing();

  explicit Hosts(int count);

  int network(int host) const { return hosts_.at(static_cast<std::size_t>(host)).get(); }  // for Command::network
  std::string address(int host) const;                                                     // IPv4
  std::string address6(int host) const;

  // Everything that the host sends leaves at this rate (token bucket).
  void limit(int host, std::int64_t bits_per_second);

  // Pulls the cable out at the switch: the host stays up and receives nothing, not even a refusal.
  void cut(int host);
  void mend(int host);

  // Every TCP segment becomes its own packet, as on a wire: the "card" neither segments nor merges.
  void without_offloads(int host);

 private:
  void plug_in(int host);
  void set_port(int host, const char* state);

  Descriptor switch_;
  std::vector<Descriptor> hosts_;
};

}  // namespace tacit::net
