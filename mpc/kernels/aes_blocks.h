// AesBlocks — AES-128 of blocks under a public key, as oblivious transfers hash and expand them (mpc/ot), four blocks to a register.
// For processors with VAES and AVX-512; on other processors OpenSSL makes the same blocks.
//
// A block is two words, the low one first. The key comes from AesWords::start; its counter is not read. The time depends on counts
// alone.
#pragma once

#include "mpc/kernels/aes_words.h"

namespace tacit::mpc {

struct AesBlocks {
  using Word = std::uint64_t;

  // block = pi(block).
  void (*permute)(const AesState& key, Word* blocks, std::int64_t n);
  // out[k] = pi(pi(x[k] ^ offset) ^ i) ^ pi(x[k] ^ offset), i = (first + k, name).
  void (*hash)(const AesState& key, const Word* x, const Word* offset, Word first, Word name, Word* out,
               std::int64_t n);
  // out[s·size + m] = pi(y) ^ y, y = seeds[s] ^ (0, first + m), for m below `size`: 1 or 8.
  void (*expand)(const AesState& key, const Word* seeds, std::int64_t n, Word first, std::int64_t size, Word* out);
  // A level of half trees of n nodes, a multiple of 4. Let x be node k, y = (low ^ high, low) of x, and h = pi(y) ^ y. Node k becomes h,
  // node n + k becomes h ^ x, and sums[k % 4] ^= h.
  void (*grow)(const AesState& key, Word* nodes, std::int64_t n, Word* sums);
};

// Null if the processor has no such instructions, or `instructions` leaves them out.
const AesBlocks* aes_blocks(Instructions instructions);

const AesBlocks& aes_blocks_vaes();

}  // namespace tacit::mpc
