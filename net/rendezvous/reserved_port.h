// ReservedPort — a port for a job whose ranks all run on this machine.
#pragma once

#include <cstdint>
#include <string>

#include "net/descriptor.h"
#include "net/rendezvous/endpoint.h"

namespace tacit::net {

// A TCP port of the loopback interfaces that is ours until this goes. Others can listen there if they set SO_REUSEADDR,
// as rendezvous() does; another ReservedPort, in this process or another, never gets it.
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
