#include "mpc/ot/bit_pads.h"

#include <algorithm>
#include <cstring>

#include "mpc/ot/correlation_hash.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGroupGrain = 32;  // groups of 128 transfers that are worth waking a thread for

// Blocks of the hash for the transfers of one group: under their keys, and under their keys ^ Delta. Zero beyond the last transfer.
struct GroupPads {
  SecretBlocks zero = SecretBlocks::zeros(kBlockBits), one = SecretBlocks::zeros(kBlockBits);
  CorrelationHash hash;

  // Returns how many transfers the group has.
  std::int64_t fill(const BoundTransfers& transfers, const Block* delta, std::int64_t use, std::int64_t group) {
    const std::int64_t begin = group * kBlockBits, size = std::min(kBlockBits, transfers.size() - begin);
    const auto keys = transfers.keys().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
    const std::uint64_t number = transfers.first() + static_cast<std::uint64_t>(begin);
    hash.hash(keys, Block{}, number, use, 1, zero.blocks().first(keys.size()));
    if (delta != nullptr) hash.hash(keys, *delta, number, use, 1, one.blocks().first(keys.size()));
    return size;
  }
};

// All rows of kCount groups from `first` on: row r of a group's matrix is its r-th transfer's block at first, and after the
// transposition the r-th bit of all its transfers.
template <std::int64_t kCount>
void fill_rows(const BoundTransfers& transfers, const Block* delta, std::int64_t use, std::int64_t first,
               GroupPads& group, Block* pads, Block* differences) {
  for (std::int64_t m = 0; m < kCount; ++m) {
    const std::int64_t size = group.fill(transfers, delta, use, first + m);
    for (std::int64_t r = 0; r < kBlockBits; ++r) pads[r * kCount + m] = r < size ? group.zero[r] : Block{};
    for (std::int64_t r = 0; delta != nullptr && r < kBlockBits; ++r) {
      differences[r * kCount + m] = r < size ? group.zero[r] ^ group.one[r] : Block{};
    }
  }
  const TransferLoops& loops = transfer_loops(best_instructions());
  const auto transpose = kCount == 1 ? loops.transpose_one : loops.transpose_together;
  transpose(reinterpret_cast<std::uint64_t*>(pads));
  if (delta != nullptr) transpose(reinterpret_cast<std::uint64_t*>(differences));
}

}  // namespace

void BitPads::next(BoundTransfers& transfers, const Block* delta, Workers& workers) {
  if (++row_ >= kBlockBits) {
    use_ = transfers.next_use();
    row_ = 0;
    make_first_row(transfers, delta, workers);
  } else if (!kept_) {
    make_all_rows(transfers, delta, workers);
  }
}

void BitPads::make_first_row(const BoundTransfers& transfers, const Block* delta, Workers& workers) {
  kept_ = false;
  groups_ = blocks_for(transfers.size());
  pads_ = SecretBlocks(groups_);
  differences_ = SecretBlocks(delta == nullptr ? 0 : groups_);
  workers.for_ranges(groups_, kGroupGrain, [&](std::int64_t begin, std::int64_t end) {
    GroupPads group;
    for (std::int64_t i = begin; i < end; ++i) {
      const auto size = static_cast<std::size_t>(group.fill(transfers, delta, use_, i));
      pads_[i] = first_bits(group.zero.blocks().first(size));
      if (delta != nullptr) differences_[i] = pads_[i] ^ first_bits(group.one.blocks().first(size));
    }
  });
}

void BitPads::make_all_rows(const BoundTransfers& transfers, const Block* delta, Workers& workers) {
  kept_ = true;
  pads_ = SecretBlocks(groups_ * kBlockBits);
  differences_ = SecretBlocks(delta == nullptr ? 0 : groups_ * kBlockBits);
  const auto place = [](SecretBlocks& rows, std::int64_t first) {
    return rows.size() == 0 ? nullptr : rows.data() + first * kBlockBits;
  };
  const std::int64_t whole = groups_ / kTogether;
  workers.for_ranges(whole, kGroupGrain / kTogether, [&](std::int64_t begin, std::int64_t end) {
    GroupPads group;
    for (std::int64_t i = begin * kTogether; i < end * kTogether; i += kTogether) {
      fill_rows<kTogether>(transfers, delta, use_, i, group, place(pads_, i), place(differences_, i));
    }
  });
  GroupPads group;
  for (std::int64_t i = whole * kTogether; i < groups_; ++i) {
    fill_rows<1>(transfers, delta, use_, i, group, place(pads_, i), place(differences_, i));
  }
}

void BitPads::correct(std::span<const Block> bits) {
  const auto flip = [&](std::int64_t i, const Block& by) {
    pads_[i] ^= Block{by.low & differences_[i].low, by.high & differences_[i].high};
  };
  const std::int64_t row = row_, rows = kept_ ? kBlockBits : 1;
  for (std::int64_t group = 0; group < groups_; ++group) {
    for (row_ = 0; row_ < rows; ++row_) flip(place(group), bits[static_cast<std::size_t>(group)]);
  }
  row_ = row;
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

void correct_bits(std::span<const Block> corrected, std::span<const std::uint64_t> words, net::ConstBytes message,
                  std::span<std::uint64_t> share) {
  TACIT_CHECK(words.size() == share.size() && message.size() <= share.size_bytes() &&
              share.size_bytes() <= corrected.size_bytes());
  for (std::size_t i = 0; i < share.size(); ++i) {
    std::uint64_t sent = 0;
    std::memcpy(&sent, message.data() + i * sizeof sent, std::min(sizeof sent, message.size() - i * sizeof sent));
    share[i] ^= word_of(corrected[i / 2], i) & (sent ^ words[i]);
  }
}

}  // namespace tacit::mpc
