// BitPads are pads of one bit for each of some bound transfers, at one end of their direction: bit 0 of a block of the hash for the
// first use, bit 1 for the second, …, and a new block after 128 uses.
//
// Many bits are used once. The first use of a block keeps none of it, and the second makes the block again and keeps it, transposed: a
// later use takes a row of it. Memory: after two uses, 16 bytes for each transfer at the end with the bits, 32 at the other.
// All of it is wiped when it is freed. Thread: one, which may use the workers.
#pragma once

#include <cstdint>
#include <span>

#include "mpc/kernels/transfer_loops.h"
#include "mpc/kernels/workers.h"
#include "mpc/ot/bound_transfers.h"
#include "net/channel.h"

namespace tacit::mpc {

class BitPads {
 public:
  // Goes on to the next pad of every transfer: a bit of H(key), and if there is a Delta, also the bit of H(key) ^ H(key ^ Delta).
  // Both ends call it once for each one-bit use.
  void next(BoundTransfers& transfers, const Block* delta, Workers& workers);

  // At the end with a Delta, after a correction of the transfers' keys by Delta where the bits are set. The pads become those of the corrected
  // keys. Bit i of a block is that of its i-th transfer.
  void correct(std::span<const Block> bits);

  // The pads of the transfers 128·group … 128·group + 127. Beyond the last transfer, they are zero.
  const Block& pad(std::int64_t group) const { return pads_[place(group)]; }
  const Block& difference(std::int64_t group) const { return differences_[place(group)]; }

 private:
  static constexpr std::int64_t kTogether = TransferLoops::kTogether;  // groups whose rows lie side by side

  std::int64_t place(std::int64_t group) const {
    if (!kept_) return group;
    const std::int64_t whole = groups_ / kTogether * kTogether;
    if (group >= whole) return group * kBlockBits + row_;
    return group / kTogether * kTogether * kBlockBits + row_ * kTogether + group % kTogether;
  }
  void make_first_row(const BoundTransfers& transfers, const Block* delta, Workers& workers);
  void make_all_rows(const BoundTransfers& transfers, const Block* delta, Workers& workers);

  SecretBlocks pads_, differences_;
  std::int64_t groups_ = 0;
  std::int64_t use_ = -1;          // of the block
  std::int64_t row_ = kBlockBits;  // the bit of the block that is in use
  bool kept_ = false;              // all rows, or the first alone
};

// The two ends of bit AND bit. The end with the words sends pad(0) ^ w ^ pad(1) and keeps pad(0); the end with the bits takes
// pad ^ (b AND that). The share is added to.
void send_bits(const BitPads& pads, std::span<const std::uint64_t> words, std::span<std::uint64_t> share,
               net::Bytes message);
void take_bits(const BitPads& pads, std::span<const Block> bits, net::ConstBytes message,
               std::span<std::uint64_t> share);

// At the end with the words, after send_bits() and a correction of the keys where `corrected` is set: the message stays the same, since
// both pads are in it, and the share becomes pad(1) there.
void correct_bits(std::span<const Block> corrected, std::span<const std::uint64_t> words, net::ConstBytes message,
                  std::span<std::uint64_t> share);

}  // namespace tacit::mpc
