// LateGradients is asynchronous training: a rank applies its own gradient at once, and a peer's when
// it has arrived, at most `staleness` steps late.
//
//   LateGradients late(mesh, sizes, {.staleness = 4});
//   late.begin(steps);                      // an epoch, or the whole training
//   for (step = 0; step < steps; ++step):
//     apply the own gradient
//     late.send(gradients);                 // a list of one span for each parameter
//     late.receive(apply);                  // apply(arrived), for each gradient of a peer
//   late.drain(apply);                      // every gradient of every rank is now applied everywhere
//
// Whole       A gradient is one message and is applied after its last byte: no torn word, unlike an
//             all-reduce without a wait (async_op)
// Once        Every rank applies every gradient exactly once, and a peer's gradients in their order
// Bound       After receive() in step t, the gradients of steps <= t - staleness of every peer are
//             applied. receive() waits only for these. staleness 0: no rank begins a step before
//             it has all gradients of the last one
// Words       floats, 4 bytes: no rank adds gradients up on the way. The ranks apply gradients in
//             different orders, so the last bits of their models differ, also after drain()
// Sends       8 bytes to each peer in begin(); then a step's gradients to each peer in one message
// Memory      one gradient for each peer, and own gradients that have not left: at most
//             2 · staleness + 2, or all remaining ones once a peer is past its last step
// Threads     one; the mesh moves the bytes while the program computes
// Errors      as in a collective: a peer that dies ends the next call at every rank
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "net/channel.h"
#include "net/mesh.h"
#include "net/synchronise/gradient_sum.h"

namespace tacit::net {

struct LateSettings {
  int staleness = 4;  // steps
  Stream stream = kGradientStream;
  std::vector<std::string> names = {};  // of the parameters, for errors; empty: numbers
};

// One gradient of a peer. The spans are valid during the call.
struct ArrivedGradient {
  int from = -1;
  std::int64_t step = 0;                              // of the peer, counted from begin()
  std::int64_t lateness = 0;                          // own step - step; 0 if the peer is ahead
  std::span<const std::span<const float>> gradients;  // one for each parameter
};

class LateGradients {
 public:
  using Apply = std::function<void(const ArrivedGradient&)>;

  // All parties call it at the same time with the same sizes and settings.
  LateGradients(Mesh& mesh, std::vector<std::int64_t> sizes, LateSettings settings);
  ~LateGradients();
  LateGradients(const LateGradients&) = delete;
  LateGradients& operator=(const LateGradients&) = delete;

  // The number of steps of this rank until drain(); ranks may differ (shards of different sizes). All parties
  // call it at the same time.
  void begin(std::int64_t steps);
  // Copies the gradients of one step and sends them to every peer. Does not wait.
  void send(std::span<const std::span<const float>> gradients);
  // Applies the gradients that have arrived. Call it once after each send().
  void receive(const Apply& apply);
  // After the last step: waits for all gradients of all peers, and until the own ones have left.
  void drain(const Apply& apply);

  std::int64_t oldest() const;              // the greatest lateness so far
  std::chrono::nanoseconds waited() const;  // in receive() and drain(), since begin()

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::net
