#include "mpc/ot/bound_bits.h"

#include <algorithm>
#include <cstring>

#include "mpc/kernels/transfer_loops.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGroupGrain = 32;  // groups of 128 transfers that are worth waking a thread for

// The pads of `count` groups from `first` on, as matrices of which row r is that of transfer r of a group.
template <std::int64_t kCount>
void fill_rows(const BoundTransfers& transfers, const Block& offset, std::int64_t use, std::int64_t first,
               CorrelationHash& hash, Block* rows) {
  SecretBlocks pads(kBlockBits);
  for (std::int64_t m = 0; m < kCount; ++m) {
    const std::int64_t begin = (first + m) * kBlockBits, size = std::min(kBlockBits, transfers.size() - begin);
    const auto some = transfers.keys().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
    hash.hash(some, offset, transfers.first() + static_cast<std::uint64_t>(begin), use, 1,
              pads.blocks().first(static_cast<std::size_t>(size)));
    for (std::int64_t r = 0; r < kBlockBits; ++r) rows[r * kCount + m] = r < size ? pads[r] : Block{};
  }
  const TransferLoops& loops = transfer_loops(best_instructions());
  (kCount == 1 ? loops.transpose_one : loops.transpose_together)(reinterpret_cast<std::uint64_t*>(rows));
}

}  // namespace

void BitPads::next(BoundTransfers& transfers, const Block* delta, Workers& workers) {
  if (++row_ >= kBlockBits) refill(transfers, delta, workers);
}

void BitPads::refill(BoundTransfers& transfers, const Block* delta, Workers& workers) {
  row_ = 0;
  groups_ = blocks_for(transfers.size());
  pads_ = SecretBlocks(groups_ * kBlockBits);
  if (delta != nullptr) differences_ = SecretBlocks(groups_ * kBlockBits);
  const std::int64_t use = transfers.next_use();
  const auto fill = [&]<std::int64_t kCount>(std::int64_t first, CorrelationHash& hash,
                                             std::integral_constant<std::int64_t, kCount> /*count*/) {
    const std::int64_t at = first * kBlockBits, size = kCount * kBlockBits;
    fill_rows<kCount>(transfers, Block{}, use, first, hash, pads_.data() + at);
    if (delta == nullptr) return;
    fill_rows<kCount>(transfers, *delta, use, first, hash, differences_.data() + at);
    for (std::int64_t i = at; i < at + size; ++i) differences_[i] ^= pads_[i];
  };
  workers.for_ranges(groups_ / kTogether, kGroupGrain / kTogether, [&](std::int64_t begin, std::int64_t end) {
    CorrelationHash hash;
    for (std::int64_t i = begin; i < end; ++i) {
      fill(i * kTogether, hash, std::integral_constant<std::int64_t, kTogether>());
    }
  });
  CorrelationHash hash;
  for (std::int64_t group = groups_ / kTogether * kTogether; group < groups_; ++group) {
    fill(group, hash, std::integral_constant<std::int64_t, 1>());
  }
}

namespace {

// The i-th 64 bits of pads.
std::uint64_t word_of(const Block& pad, std::size_t i) { return i % 2 == 0 ? pad.low : pad.high; }

}  // namespace

void send_bits(const BitPads& pads, std::span<const std::uint64_t> words, std::span<std::uint64_t> share,
               net::Bytes message) {
  TACIT_CHECK(words.size() == share.size() && message.size() <= words.size_bytes());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto group = static_cast<std::int64_t>(i / 2);
    const std::uint64_t correction = word_of(pads.difference(group), i) ^ words[i];
    share[i] ^= word_of(pads.pad(group), i);
    std::memcpy(message.data() + i * sizeof correction, &correction,
                std::min(sizeof correction, message.size() - i * sizeof correction));
  }
}

void take_bits(const BitPads& pads, std::span<const Block> bits, net::ConstBytes message,
               std::span<std::uint64_t> share) {
  TACIT_CHECK(message.size() <= share.size_bytes() && share.size_bytes() <= bits.size_bytes());
  for (std::size_t i = 0; i < share.size(); ++i) {
    std::uint64_t correction = 0;
    std::memcpy(&correction, message.data() + i * sizeof correction,
                std::min(sizeof correction, message.size() - i * sizeof correction));
    const auto group = static_cast<std::int64_t>(i / 2);
    share[i] ^= word_of(pads.pad(group), i) ^ (word_of(bits[i / 2], i) & correction);
  }
}

}  // namespace tacit::mpc
