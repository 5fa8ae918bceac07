#include "mpc/ot/block.h"

#include <sodium.h>

#include <algorithm>

namespace tacit::mpc {

Block first_bits(std::span<const Block> blocks) {
  std::uint64_t words[2] = {0, 0};
  for (std::size_t k = 0; k < blocks.size(); ++k) words[k / 64] |= (blocks[k].low & 1) << (k % 64);
  return {words[0], words[1]};
}

SecretBlocks SecretBlocks::zeros(std::int64_t count) {
  SecretBlocks blocks(count);
  std::fill_n(blocks.words(), 2 * count, 0);
  return blocks;
}

SecretBlocks::~SecretBlocks() {
  if (words_.size() > 0) sodium_memzero(words_.data(), static_cast<std::size_t>(words_.size()) * sizeof(std::uint64_t));
}

}  // namespace tacit::mpc
