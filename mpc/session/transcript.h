// Transcript keeps a hash per other party, under keys of that pair: of the opened values, of the decisions, and of the
// words that the two sent each other for sums.
//
// The tags of two parties are equal if both saw the same sums and their messages to each other arrived unchanged. If a
// third party shows the two different words, it cannot make their tags equal, because it does not know their keys.
//
// A tag is the sum modulo 2^128 of three tags under independent keys: one for the values that both saw, one for the
// words from the lower rank to the higher, and one for the words back. So the order in which the two directions
// interleave may differ between the two ends.
// Thread: one, the thread that may use the workers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mpc/random/pair_hash.h"
#include "net/collectives/group.h"

namespace tacit::mpc {

class Transcript final : public net::ContributionWatch {
 public:
  // `seeds` by party; the entry of `rank` is not used. Call this before any other draw from the seeds. The workers, if there
  // are any, must outlive it: absorb hashes many words on all threads. The tags do not depend on the number of threads.
  Transcript(std::span<PairSeed> seeds, int rank, Workers* workers = nullptr);

  int parties() const { return static_cast<int>(hashes_.size()); }
  // Hashes words that all parties see.
  void absorb(std::span<const std::uint64_t> words);
  // Hash a message for a sum that the receiver computes: at its sender, and at its receiver.
  void sent(int to, std::span<const net::ConstBytes> message) override;
  void received(int from, std::span<const net::ConstBytes> message) override;
  HashTag tag(int peer) const;

 private:
  struct Hashes {
    explicit Hashes(PairSeed& seed) : opened(seed, 0), upwards(seed, 1), downwards(seed, 2) {}
    PairHash opened, upwards, downwards;  // from the lower rank to the higher, and back
  };
  Hashes& with(int peer) { return *hashes_[static_cast<std::size_t>(peer)]; }

  void absorb_on_all_threads(std::span<const std::uint64_t> words);

  int rank_;
  Workers* workers_;
  std::vector<std::optional<Hashes>> hashes_;  // empty at this party
};

}  // namespace tacit::mpc
