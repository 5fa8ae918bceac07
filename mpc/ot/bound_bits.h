// BoundTransfers are the correlated transfers of one direction to which bits of one party are bound: the bits' party has t, its peer
// q. Each use of them has a number of its own, on which both ends agree because they make the same calls.
//
// One-bit uses share a block of the hash: BitPads keeps the block of each transfer, transposed, so that a use takes a row of bits.
// All memory is wiped when it is freed. Thread: one, which may use the workers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "mpc/kernels/transfer_loops.h"
#include "mpc/kernels/workers.h"
#include "mpc/ot/block.h"
#include "mpc/ot/correlation_hash.h"
#include "net/channel.h"

namespace tacit::mpc {

// The blocks of `bits` bits.
constexpr std::int64_t blocks_for(std::int64_t bits) { return (bits + kBlockBits - 1) / kBlockBits; }

class BoundTransfers {
 public:
  BoundTransfers() = default;
  // `first`: the number of the first transfer in its direction.
  BoundTransfers(std::shared_ptr<const SecretBlocks> keys, std::int64_t begin, std::int64_t size, std::uint64_t first)
      : keys_(std::move(keys)), begin_(begin), size_(size), first_(first) {}
  // A copy would count the same uses again.
  BoundTransfers(BoundTransfers&&) noexcept = default;
  BoundTransfers& operator=(BoundTransfers&&) noexcept = default;
  BoundTransfers(const BoundTransfers&) = delete;
  BoundTransfers& operator=(const BoundTransfers&) = delete;

  std::span<const Block> keys() const {
    return keys_->blocks().subspan(static_cast<std::size_t>(begin_), static_cast<std::size_t>(size_));
  }
  std::int64_t size() const { return size_; }
  std::uint64_t first() const { return first_; }
  std::int64_t next_use() { return uses_++; }

 private:
  std::shared_ptr<const SecretBlocks> keys_;  // with those of other bits that were bound at the same time
  std::int64_t begin_ = 0;
  std::int64_t size_ = 0;
  std::uint64_t first_ = 0;
  std::int64_t uses_ = 0;
};

// Pads of one bit for each transfer, for one end of one direction.
class BitPads {
 public:
  // Goes on to the next bit of all pads. Both ends call it once for each one-bit use.
  // H(key), and if there is a Delta, also H(key) ^ H(key ^ Delta).
  void next(BoundTransfers& transfers, const Block* delta, Workers& workers);

  // The pads of the transfers 128·group … 128·group + 127. Beyond the last transfer, they are zero.
  const Block& pad(std::int64_t group) const { return pads_[place(group)]; }
  const Block& difference(std::int64_t group) const { return differences_[place(group)]; }

 private:
  static constexpr std::int64_t kTogether = TransferLoops::kTogether;  // groups whose rows lie side by side

  std::int64_t place(std::int64_t group) const {
    const std::int64_t whole = groups_ / kTogether * kTogether;
    if (group >= whole) return group * kBlockBits + row_;
    return group / kTogether * kTogether * kBlockBits + row_ * kTogether + group % kTogether;
  }
  void refill(BoundTransfers& transfers, const Block* delta, Workers& workers);

  SecretBlocks pads_, differences_;
  std::int64_t groups_ = 0;
  std::int64_t row_ = kBlockBits;  // the bit of the blocks that is in use
};

// The two ends of bit AND bit. The end with the words sends pad(0) ^ w ^ pad(1) and keeps pad(0); the end with the bits takes
// pad ^ (b AND that). The share is added to.
void send_bits(const BitPads& pads, std::span<const std::uint64_t> words, std::span<std::uint64_t> share,
               net::Bytes message);
void take_bits(const BitPads& pads, std::span<const Block> bits, net::ConstBytes message,
               std::span<std::uint64_t> share);

}  // namespace tacit::mpc
