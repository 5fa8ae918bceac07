#include "mpc/session/transcript.h"

#include <algorithm>
#include <bit>

namespace tacit::mpc {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kChunk = 2048;  // words that are hashed as one tensor
constexpr std::int64_t kGrain = 12;    // chunks that are worth waking a thread for

std::span<const std::uint64_t> some(std::span<const std::uint64_t> words, std::int64_t begin, std::int64_t end) {
  return words.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

}  // namespace

Transcript::Transcript(std::span<PairSeed> seeds, int rank, Workers* workers) : rank_(rank), workers_(workers) {
  for (int party = 0; party < std::ssize(seeds); ++party) {
    hashes_.emplace_back();
    if (party != rank) hashes_.back().emplace(seeds[static_cast<std::size_t>(party)]);
  }
}

// Chunk by chunk for all, while they are in the cache.
void Transcript::absorb(std::span<const std::uint64_t> words) {
  if (workers_ != nullptr && workers_->threads() > 1 && std::ssize(words) > kChunk) return absorb_on_all_threads(words);
  do {
    const auto chunk = words.first(std::min(static_cast<std::size_t>(kChunk), words.size()));
    for (std::optional<Hashes>& hashes : hashes_) {
      if (hashes) hashes->opened.absorb(chunk);
    }
    words = words.subspan(chunk.size());
  } while (!words.empty());
}

// All threads make the digests of the chunks. Then the hash of each peer absorbs its digests in order.
void Transcript::absorb_on_all_threads(std::span<const std::uint64_t> words) {
  const std::int64_t size = std::ssize(words), chunks = (size + kChunk - 1) / kChunk;
  const std::int64_t each = PairHash::digest_entries(kChunk);
  const std::int64_t all = (chunks - 1) * each + PairHash::digest_entries(size - (chunks - 1) * kChunk);
  std::vector<PairHash::Entry> digests(static_cast<std::size_t>(all * parties()));
  const auto of_peer = [&](int peer) {
    return std::span(digests).subspan(static_cast<std::size_t>(all * peer), static_cast<std::size_t>(all));
  };
  workers_->for_ranges(chunks, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      const auto chunk = some(words, c * kChunk, std::min(size, (c + 1) * kChunk));
      for (int peer = 0; peer < parties(); ++peer) {
        if (peer == rank_) continue;
        const auto place = of_peer(peer).subspan(static_cast<std::size_t>(c * each),
                                                 static_cast<std::size_t>(PairHash::digest_entries(std::ssize(chunk))));
        with(peer).opened.digest(chunk, place);
      }
    }
  });
  for (int peer = 0; peer < parties(); ++peer) {
    if (peer != rank_) with(peer).opened.absorb_digests(of_peer(peer));
  }
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
