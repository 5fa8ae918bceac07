#include "mpc/session/transcript.h"

#include <algorithm>

namespace tacit::mpc {

Transcript::Transcript(std::span<PairSeed> seeds, int rank) {
  for (int party = 0; party < std::ssize(seeds); ++party) {
    hashes_.emplace_back();
    if (party != rank) hashes_.back().emplace(seeds[static_cast<std::size_t>(party)]);
  }
}

// Chunk by chunk for all, while they are in the cache.
void Transcript::absorb(std::span<const std::uint64_t> words) {
  constexpr std::size_t kChunk = 2048;
  do {
    const auto chunk = words.first(std::min(kChunk, words.size()));
    for (std::optional<PairHash>& hash : hashes_) {
      if (hash) hash->absorb(chunk);
    }
    words = words.subspan(chunk.size());
  } while (!words.empty());
}

HashTag Transcript::tag(int peer) const { return hashes_[static_cast<std::size_t>(peer)]->tag(); }

}  // namespace tacit::mpc
