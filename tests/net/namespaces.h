// Hosts — separate machines made of network namespaces, each on a cable (veth) of its own to one switch (a bridge).
//
// A namespace has no name here, only a descriptor: all of it, addresses and cables included, is gone when the
// descriptors are, also after a failure or when the test is killed. Nothing of it touches the machine's own network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/descriptor.h"

namespace tacit::net {

// A network with nothing but a loopback interface.
Descriptor empty_network();

class Hosts {
 public:
  // What is missing to make hosts here, for GTEST_SKIP; empty when nothing is.
  static std::string missing();

  explicit Hosts(int count);

  int network(int host) const { return hosts_.at(static_cast<std::size_t>(host)).get(); }  // for Command::network
  std::string address(int host) const;                                                     // IPv4
  std::string address6(int host) const;

  // Everything that the host sends leaves at this rate (token bucket).
  void limit(int host, std::int64_t bits_per_second);

  // The cable is pulled out at the switch: the host stays up and hears nothing, not even a refusal.
  void cut(int host);
  void mend(int host);

  // Every TCP segment becomes a packet of its own, as on a wire: no segmentation or merging is left to the "card".
  void without_offloads(int host);

 private:
  void plug_in(int host);
  void set_port(int host, const char* state);

  Descriptor switch_;
  std::vector<Descriptor> hosts_;
};

}  // namespace tacit::net
