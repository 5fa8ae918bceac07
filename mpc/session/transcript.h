// Transcript — all that this party has seen opened and decided, hashed for each other party under the key of that pair.
//
// Two parties that saw the same have equal tags. A party that showed two others different words cannot make theirs
// equal: it does not know the key of the two.
// Thread: one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mpc/random/pair_hash.h"

namespace tacit::mpc {

class Transcript {
 public:
  // By party, with one of no use at `rank`. Before anything else is drawn of the seeds.
  Transcript(std::span<PairSeed> seeds, int rank);

  int parties() const { return static_cast<int>(hashes_.size()); }
  void absorb(std::span<const std::uint64_t> words);
  HashTag tag(int peer) const;

 private:
  std::vector<std::optional<PairHash>> hashes_;  // none for this party
};

}  // namespace tacit::mpc
