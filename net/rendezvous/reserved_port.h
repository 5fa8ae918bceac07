// ReservedPort holds a port for a job with all ranks on this machine.
#pragma once

#include <cstdint>
#include <string>

#include "net/descriptor.h"
#include "net/rendezvous/endpoint.h"

namespace tacit::net {

// A TCP port of the loopback interfaces, reserved until the destructor runs. Other sockets can
// listen there with SO_REUSEADDR, as rendezvous() does. No other ReservedPort, in any process, gets
// the same port.
class ReservedPort {
 public:
  ReservedPort();
  std::uint16_t number() const { return number_; }
  Endpoint at(const std::string& host) const { return {host, number_}; }

 private:
  Descriptor ipv4_;
  Descriptor ipv6_;
  std::uint16_t number_ = 0;
};

bool has_ipv6();  // on the loopback interface

}  // namespace tacit::net
