// PairNetwork carries the messages with which the parties make correlations: rounds, in which each party may send one message
// to every other. Both ends know the length of every message.
//
// A network without a mesh is a plan: it counts the same rounds, bytes and messages, and moves nothing. Code over a network
// therefore states its own cost: it runs once more on a plan, without data.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpc/ring/uninitialised.h"
#include "net/mesh.h"

namespace tacit::mpc {

// The messages of one party to the others for correlations.
struct MadeCost {
  std::int64_t rounds = 0;
  std::int64_t bytes = 0;
  std::int64_t messages = 0;

  bool operator==(const MadeCost&) const = default;
  MadeCost& operator+=(const MadeCost& other);
  MadeCost& operator-=(const MadeCost& other);
};

class PairNetwork {
 public:
  // The mesh must outlive the network. The messages are on a stream of their own.
  explicit PairNetwork(net::Mesh& mesh);
  // A plan for this rank.
  PairNetwork(int rank, int parties) : rank_(rank), parties_(parties) {}

  int rank() const { return rank_; }
  int parties() const { return parties_; }
  bool planned() const { return mesh_ == nullptr; }

  // The message to or from each party, by party. An empty message does not travel; the own entry is empty.
  using Messages = std::vector<UninitialisedVector<std::byte>>;
  Messages messages() const { return Messages(static_cast<std::size_t>(parties_)); }

  // One round. The sizes of `in` are the expected lengths. On a plan, the sizes of `out` count, and no byte is read or written.
  void exchange(const Messages& out, Messages& in);

  // On a plan: counts this traffic `times` times more, as if it had been exchanged.
  void repeat(const MadeCost& traffic, std::int64_t times);

  // All that this party has sent so far.
  const MadeCost& cost() const { return cost_; }
  std::chrono::nanoseconds waited() const { return waited_; }

 private:
  net::Mesh* mesh_ = nullptr;
  int rank_ = 0;
  int parties_ = 1;
  MadeCost cost_;
  std::chrono::nanoseconds waited_{0};
};

}  // namespace tacit::mpc
