// PartyFlags — the command line and environment of the programs under test.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "net/rendezvous/rendezvous.h"
#include "net/tcp/tcp_mesh.h"

namespace tacit::net {

struct PartyFlags {
  RendezvousOptions rendezvous;
  TcpMeshOptions mesh;
  int world_size = 1;
  std::string key;     // a path
  std::string roster;  // a path

  std::int64_t bytes = 64;               // in each message
  std::int64_t steps = 0;                // 0: until a failure
  std::chrono::milliseconds compute{0};  // spent away from the mesh before step 1
  std::chrono::milliseconds settle{0};   // spent in silence before the traffic report
  std::string misdeed;                   // this rank's fault; empty: none
};

// Throws ConfigError.
PartyFlags read_party_flags(int argc, char** argv);

}  // namespace tacit::net
