// Mesh — this rank's end of the full mesh: a channel to every other rank, traffic counts, and a common end.
//
// Implementations: TcpMesh (sockets, TLS 1.3 unless a test asks for plaintext), MemoryMesh (threads of one process),
// EmulatedMesh (latency and bandwidth around any other).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/channel.h"
#include "net/error.h"
#include "net/traffic.h"
#include "net/world.h"

namespace tacit::net {

// Who this rank is waiting for, for progress lines such as "waiting 12 s for rank 2 (host)".
struct Waiting {
  int rank = -1;
  Clock::duration since{};  // how long so far
  bool peer_alive = true;   // its heartbeat is current
};

class Mesh {
 public:
  virtual ~Mesh() = default;  // without close() before it: the others see this rank die

  virtual const World& world() const = 0;
  virtual Channel& channel(int peer) = 0;  // peer != rank()

  // "rank 2 (party, 10.0.0.3:4711)": for errors and progress.
  virtual std::string describe(int peer) const = 0;

  virtual Traffic traffic() const = 0;
  virtual void count_rounds(std::int64_t rounds) = 0;

  // What the program is doing, for errors: "epoch 12, layer 1 forward". Public: it may be sent to the others on
  // failure.
  virtual void set_step(std::string step) = 0;
  virtual std::string step() const = 0;
  virtual std::optional<Waiting> waiting() const = 0;

  // Ends in agreement: says goodbye to all, waits for theirs, up to a limit that the mesh knows. Everything sent before
  // has arrived then.
  virtual void close() = 0;

  // Ends in failure: tells everybody why, so that all name the same culprit (-1: this rank itself) and end with the
  // same exit: what is the user's to fix is so everywhere, and a bug here is a peer that was lost. Never throws.
  virtual void abort(Exit exit, std::string_view reason, int culprit) noexcept = 0;

  int rank() const { return world().rank; }
  int parties() const { return world().parties; }
  int size() const { return world().size(); }
};

}  // namespace tacit::net
