// Both ends of correlated transfers in one direction, in one thread and without a network.
#pragma once

#include <random>

#include "mpc/ot/soft_spoken.h"

namespace tacit::mpc {

inline Block random_block(std::mt19937_64& random) { return {random(), random()}; }

inline SecretBlocks random_blocks(std::int64_t count, std::mt19937_64& random) {
  SecretBlocks blocks(count);
  for (Block& block : blocks.blocks()) block = random_block(random);
  return blocks;
}

inline SecretBlocks copy_of(const SecretBlocks& blocks) {
  SecretBlocks copy(blocks.size());
  std::copy(blocks.blocks().begin(), blocks.blocks().end(), copy.data());
  return copy;
}

inline bool bit_at(std::span<const Block> bits, std::int64_t i) {
  const Block& block = bits[static_cast<std::size_t>(i / kBlockBits)];
  return (((i % kBlockBits < 64 ? block.low : block.high) >> (i % 64)) & 1) != 0;
}

struct CorrelatedPair {
  explicit CorrelatedPair(unsigned seed) : random(seed), delta(random_block(random)) {
    const SecretBlocks both = random_blocks(2 * kTreeLevels, random);
    const net::Secret choices = base_choices(delta);
    SecretBlocks chosen(kTreeLevels);
    for (std::int64_t i = 0; i < kTreeLevels; ++i) {
      chosen[i] = both[2 * i + std::to_integer<int>(choices.bytes()[static_cast<std::size_t>(i)])];
    }
    WholeTrees trees(both);
    punctured = punctured_leaves(delta, chosen, trees.sums);
    whole = std::move(trees.leaves);
  }

  SoftSpokenReceiver receiver() const { return SoftSpokenReceiver(copy_of(whole)); }
  SoftSpokenSender sender() const { return {delta, copy_of(punctured)}; }

  std::mt19937_64 random;
  Block delta;
  SecretBlocks whole, punctured;
};

}  // namespace tacit::mpc
