// FixedKeyAes is the permutation pi of blocks that AES-128 is under a public key, and the functions that transfers make of pi. Each
// purpose has a key of its own, because blocks of several purposes depend on the same secret Delta.
//
// The processor's widest instructions make them, or OpenSSL. The time depends on the number of blocks alone. Thread: one at a time.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "mpc/kernels/aes_blocks.h"
#include "mpc/ot/block.h"

struct evp_cipher_ctx_st;

namespace tacit::mpc {

class FixedKeyAes {
 public:
  // The key: at most 16 letters.
  explicit FixedKeyAes(std::string_view purpose, Instructions instructions = best_instructions());
  ~FixedKeyAes();
  FixedKeyAes(FixedKeyAes&&) noexcept;

  // block = pi(block).
  void permute(std::span<Block> blocks);
  // out[k] = pi(pi(x[k] ^ offset) ^ i) ^ pi(x[k] ^ offset), i = (first + k, name).
  void hash(std::span<const Block> x, const Block& offset, std::uint64_t first, std::uint64_t name, Block* out);
  // out[s·size + m] = pi(y) ^ y, y = seeds[s] ^ (0, first + m), for m below `size`: 1 or 8.
  void expand(std::span<const Block> seeds, std::uint64_t first, std::int64_t size, Block* out);
  // A level of half trees of n nodes, a multiple of 4. Let x be node k, y = (low ^ high, low) of x, and h = pi(y) ^ y. Node k becomes h,
  // node n + k becomes h ^ x, and sums[k % 4] ^= h.
  void grow(Block* nodes, std::int64_t n, std::span<Block, 4> sums);

 private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };
  const AesBlocks* wide_;
  AesState state_{};
  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
  SecretBlocks inputs_;  // kept between OpenSSL's passes
};

}  // namespace tacit::mpc
