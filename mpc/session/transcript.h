// Transcript — what this party has seen opened and decided, and the words between it and each other party that went into
// sums, hashed for each other party under keys of that pair.
//
// Two parties that saw the same sums, and whose messages to each other came as they were sent, have equal tags. A party
// that showed two others different words cannot make theirs equal: it does not know the keys of the two.
//
// A tag is the sum modulo 2^128 of three tags under independent keys: of what both saw, of the words from the lower rank
// to the higher, and of those back. So the two directions may be interleaved otherwise at the two ends.
// Thread: one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mpc/random/pair_hash.h"
#include "net/collectives/group.h"

namespace tacit::mpc {

class Transcript final : public net::ContributionWatch {
 public:
  // By party, with one of no use at `rank`. Before anything else is drawn of the seeds.
  Transcript(std::span<PairSeed> seeds, int rank);

  int parties() const { return static_cast<int>(hashes_.size()); }
  // What all parties see.
  void absorb(std::span<const std::uint64_t> words);
  // What this party sends to one, which alone adds it up; what it gets likewise.
  void sent(int to, std::span<const net::ConstBytes> message) override;
  void received(int from, std::span<const net::ConstBytes> message) override;
  HashTag tag(int peer) const;

 private:
  struct Hashes {
    explicit Hashes(PairSeed& seed) : opened(seed, 0), upwards(seed, 1), downwards(seed, 2) {}
    PairHash opened, upwards, downwards;  // from the lower rank to the higher, and back
  };
  Hashes& with(int peer) { return *hashes_[static_cast<std::size_t>(peer)]; }

  int rank_;
  std::vector<std::optional<Hashes>> hashes_;  // none for this party
};

}  // namespace tacit::mpc
