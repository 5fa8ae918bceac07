// Mesh is this rank's end of the full mesh: a channel to every other rank, traffic counts, and a
// common end.
//
// Implementations: TcpMesh (sockets, with TLS 1.3 unless a test asks for plaintext), MemoryMesh
// (threads of one process), EmulatedMesh (any other mesh with added latency and limited bandwidth).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/channel.h"
#include "net/error.h"
#include "net/traffic.h"
#include "net/world.h"

namespace tacit::net {

// The rank for which this rank waits, for progress lines such as "waiting 12 s for rank 2 (host)".
struct Waiting {
  int rank = -1;
  Clock::duration since{};  // duration so far
  bool peer_alive = true;   // its heartbeat is current
};

class Mesh {
 public:
  virtual ~Mesh() = default;  // without close(), the other ranks see this rank as dead

  virtual const World& world() const = 0;
  virtual Channel& channel(int peer) = 0;  // peer != rank()

  // "rank 2 (party, 10.0.0.3:4711)": for errors and progress.
  virtual std::string describe(int peer) const = 0;

  virtual Traffic traffic() const = 0;
  virtual void count_rounds(std::int64_t rounds) = 0;

  // Sets the program's current step, for errors: "epoch 12, layer 1 forward". The step is public:
  // it may be sent to the other ranks on failure.
  virtual void set_step(std::string step) = 0;
  virtual std::string step() const = 0;
  virtual std::optional<Waiting> waiting() const = 0;

  // Ends in agreement: sends goodbyes to all ranks and waits for theirs, up to the mesh's limit.
  // All earlier messages have then arrived.
  virtual void close() = 0;

  // Ends in failure: sends the reason to all ranks, so that all name the same culprit (-1: this
  // rank itself) and end with the same exit code. An error that the user can fix keeps its code at
  // every rank; a bug at this rank is a lost peer for the others. Never throws.
  virtual void abort(Exit exit, std::string_view reason, int culprit) noexcept = 0;

  int rank() const { return world().rank; }
  int parties() const { return world().parties; }
  int size() const { return world().size(); }
};

}  // namespace tacit::net
