// PairNetwork carries the messages with which the parties make correlations: rounds, in which each party may send one message
// to every other. Both ends know the length of every message.
//
// A network without a mesh is a plan: it counts the same rounds, bytes and messages, and moves nothing. Code over a network
// therefore states its own cost: it runs once more on a plan, without data.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mpc/ot/leakage_units.h"
#include "mpc/ring/uninitialised.h"
#include "net/mesh.h"

namespace tacit::mpc {

// The messages of one party to the others for correlations.
struct MadeCost {
  std::int64_t rounds = 0;
  std::int64_t bytes = 0;
  std::int64_t messages = 0;
  // The oblivious transfers that the largest holder of each BitTimesWord::bind takes with each peer: equal at all parties.
  std::int64_t transfers = 0;
  std::int64_t leakage = 0;  // of the lattice answers, in the units of leakage_units.h

  bool operator==(const MadeCost&) const = default;
  MadeCost& operator+=(const MadeCost& other);
  MadeCost& operator-=(const MadeCost& other);
};

// The traffic of one party, round by round, as a plan records it.
struct MadeTrace {
  struct Round {
    std::int64_t bytes = 0;  // to all parties together
    std::size_t peers = 0;   // the number in `peers` of the parties that get a message
  };
  std::vector<Round> rounds;
  std::vector<std::vector<bool>> peers;  // by party
  // Oblivious transfers: MadeCost::transfers, and the number that each party takes with each peer.
  std::int64_t transfers = 0;
  std::vector<std::int64_t> transfers_of;  // by party
  std::int64_t leakage = 0;                // MadeCost::leakage
  std::int64_t memory = 0;                 // bytes at once, estimated: see PairNetwork::hold
};

class LockStep;

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

  // One round. The sizes of `in` are the expected lengths. On a plan, the sizes of `out` count, and no byte is read or written. In a
  // task of LockStep, the round is one with the rounds of the other tasks.
  void exchange(const Messages& out, Messages& in);

  // On a plan: the task takes so many bytes more of the memory of each party, or of the party with the most, until its end, or until the
  // result is freed. An estimate, but equal at all ranks. The trace has the most that is held at once.
  void hold(std::int64_t bytes) { count_held(until_end_, bytes); }
  [[nodiscard]] std::shared_ptr<const void> hold_for_now(std::int64_t bytes);
  // Counts the transfers that each party takes as the receiver in a call of BitTimesWord::bind, with each peer.
  void count_transfers(std::span<const std::int64_t> by_party);
  // On a plan: all since the last call, at the end of a task.
  MadeTrace take_trace() {
    until_end_ = 0;
    return std::exchange(trace_, {});
  }

  // Counts the leakage of answers that this party sends.
  void add_leakage(std::int64_t units);

  // All that this party has sent so far.
  const MadeCost& cost() const { return cost_; }
  std::chrono::nanoseconds waited() const { return waited_; }

 private:
  friend class LockStep;

  // The messages of a round, by party, in pieces.
  struct Round {
    explicit Round(int parties) : out(static_cast<std::size_t>(parties)), in(static_cast<std::size_t>(parties)) {}
    void add(const Messages& to_send, Messages& to_receive);

    std::vector<std::vector<net::ConstBytes>> out;
    std::vector<std::vector<net::Bytes>> in;
  };
  void move(const Round& round);
  void record(const Round& round);
  void count_held(std::int64_t& held, std::int64_t bytes) {
    held += bytes;
    trace_.memory = std::max(trace_.memory, until_end_ + for_now_);
  }

  net::Mesh* mesh_ = nullptr;
  int rank_ = 0;
  int parties_ = 1;
  MadeCost cost_;
  std::chrono::nanoseconds waited_{0};
  MadeTrace trace_;                           // on a plan
  std::int64_t until_end_ = 0, for_now_ = 0;  // bytes that a task on a plan holds
  LockStep* lock_step_ = nullptr;             // while it runs
};

}  // namespace tacit::mpc
