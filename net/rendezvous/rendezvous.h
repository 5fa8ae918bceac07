// The rendezvous (bootstrap): ranks that know one address find each other, authenticate, and
// compare their configuration.
//
// Rank 0 listens at MASTER_ADDR:MASTER_PORT. Every other rank opens a listening port, connects to
// rank 0 (with retries until rank 0 is up), and sends a hello. Rank 0 compares the hellos and sends
// all addresses to every rank. The ranks then connect pairwise, the higher to the lower. When all
// links stand, rank 0 sends `go`, and the listening ports are closed. net/README.md describes the
// messages and the purpose of each check.
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
  Endpoint master;         // listening address of rank 0
  Endpoint listen;         // for a rank > 0; empty host: every interface; port 0: the roster's port, or any free one
  std::string announce;    // host at which others reach this rank; empty: listen's host, or the one that rank 0 sees
  int segment = 0;         // most bytes in a TCP packet, on a link without Ethernet's limit; 0: the interface's limit
  bool plaintext = false;  // tests and benchmarks only: no TLS, a peer's claim is its identity
  Agreement agreement;     // must be equal everywhere
  std::chrono::milliseconds deadline{std::chrono::minutes(10)};  // for everybody to be there
  // Limit for one connection to prove its identity and send its hello. Once all ranks are there, they connect to each
  // other in five times this long at most.
  std::chrono::milliseconds handshake{std::chrono::seconds(10)};
  // Polled during the rendezvous. Returns an exception if this rank cannot take part after all,
  // else null. The exception ends the rendezvous at every connected rank. A rank that does not
  // reach rank 0 within three seconds ends without a report to the others.
  std::function<std::exception_ptr()> objection;
  // Receives progress and refusals, one line at a time. May be empty.
  std::function<void(const std::string&)> log;
  // Receives the list of absent ranks whenever this rank learns a new one; at the end the list is
  // empty. May be an empty function.
  std::function<void(const std::vector<int>&)> missing;
};

// Runs in the calling thread until the mesh stands. Throws ConfigError, NetError or ProtocolError,
// after all other ranks have been informed.
Formation rendezvous(const RendezvousOptions& options, const Identity& identity, const Roster& roster);

}  // namespace tacit::net
