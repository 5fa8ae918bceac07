#include "mpc/session/transcript.h"

#include <algorithm>
#include <bit>

namespace tacit::mpc {

namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

Transcript::Transcript(std::span<PairSeed> seeds, int rank) : rank_(rank) {
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
    for (std::optional<Hashes>& hashes : hashes_) {
      if (hashes) hashes->opened.absorb(chunk);
    }
    words = words.subspan(chunk.size());
  } while (!words.empty());
}

void Transcript::sent(int to, std::span<const net::ConstBytes> message) {
  (rank_ < to ? with(to).upwards : with(to).downwards).absorb(message);
}

void Transcript::received(int from, std::span<const net::ConstBytes> message) {
  (from < rank_ ? with(from).upwards : with(from).downwards).absorb(message);
}

HashTag Transcript::tag(int peer) const {
  const Hashes& hashes = *hashes_[static_cast<std::size_t>(peer)];
  Wide sum = 0;
  for (const PairHash* hash : {&hashes.opened, &hashes.upwards, &hashes.downwards}) {
    sum += std::bit_cast<Wide>(hash->tag());
  }
  return std::bit_cast<HashTag>(sum);
}

}  // namespace tacit::mpc
