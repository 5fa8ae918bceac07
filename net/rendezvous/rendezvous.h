// Rendezvous — how ranks that know one address find each other, prove who they are, and agree on what they run.
//
// Rank 0 listens at MASTER_ADDR:MASTER_PORT. Every other rank opens a listening port of its own, connects to rank 0
// (again and again until it is there), and says hello; rank 0 compares, tells everyone the addresses, and the ranks
// connect pairwise, the higher to the lower. When all links stand, rank 0 lets everyone go. The listening ports are
// closed then. net/README.md describes the messages and what each check is for.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/rendezvous/agreement.h"
#include "net/rendezvous/endpoint.h"
#include "net/rendezvous/roster.h"
#include "net/tcp/formation.h"
#include "net/tcp/identity.h"

namespace tacit::net {

struct RendezvousOptions {
  int rank = 0;
  Endpoint master;       // where rank 0 listens
  Endpoint listen;       // where a rank > 0 listens; empty host: every interface; port 0: the roster's, or any free one
  std::string announce;  // host that others should use for this rank; empty: that of `listen`, or what rank 0 sees
  int segment = 0;  // bytes in a TCP packet at most, on a link without Ethernet's limit; 0: what the interface takes
  bool plaintext = false;  // tests and benchmarks only: no TLS, identity is what a peer claims
  Agreement agreement;     // must be equal everywhere
  std::chrono::milliseconds deadline{std::chrono::minutes(10)};  // for everybody to be there
  // For one connection to prove who it is and say hello. Connecting the ranks to each other, once all are there, takes
  // five times this long at most.
  std::chrono::milliseconds handshake{std::chrono::seconds(10)};
  // Asked again and again meanwhile: why this rank cannot take part after all, or null. It ends the rendezvous at every
  // rank that is there. Who does not reach rank 0 within three seconds has nobody to tell.
  std::function<std::exception_ptr()> objection;
  std::function<void(const std::string&)> log;  // progress and refusals, a line each; may be empty
  // Told who is not there yet, whenever this rank hears of it: nobody, in the end. May be empty.
  std::function<void(const std::vector<int>&)> missing;
};

// Runs in the calling thread until the mesh stands. Throws ConfigError, NetError or ProtocolError; by then everybody
// else has been told.
Formation rendezvous(const RendezvousOptions& options, const Identity& identity, const Roster& roster);

}  // namespace tacit::net
