#include "mpc/ot/block.h"

#include <sodium.h>

#include <algorithm>

namespace tacit::mpc {

SecretBlocks SecretBlocks::zeros(std::int64_t count) {
  SecretBlocks blocks(count);
  std::fill_n(blocks.words(), 2 * count, 0);
  return blocks;
}

SecretBlocks::~SecretBlocks() {
  if (words_.size() > 0) sodium_memzero(words_.data(), static_cast<std::size_t>(words_.size()) * sizeof(std::uint64_t));
}

}  // namespace tacit::mpc
