// FixedKeyAes is the permutation of blocks that AES-128 is under a public key. Each purpose has a key of its own, because blocks of
// several purposes depend on the same secret Delta.
//
// The time depends on the number of blocks alone. Thread: one at a time.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "mpc/ot/block.h"

struct evp_cipher_ctx_st;

namespace tacit::mpc {

class FixedKeyAes {
 public:
  explicit FixedKeyAes(std::string_view purpose);  // at most 16 letters: they are the key
  ~FixedKeyAes();
  FixedKeyAes(FixedKeyAes&&) noexcept;

  // Each block is replaced by its image.
  void permute(std::span<Block> blocks);

 private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };
  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
};

}  // namespace tacit::mpc
