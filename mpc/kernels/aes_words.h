// AesWords — the words of AES-128 in counter mode, combined with other words while they are made, four blocks to a register.
// For processors with VAES and AVX-512; on other processors OpenSSL makes the same words, a block to a register.
//
// The time depends on the count of words alone: no table is read, and no branch depends on the key, the words or the counter's
// bytes (except for one carry in 2^64 blocks).
#pragma once

#include <cstdint>

#include "mpc/kernels/cpu.h"

namespace tacit::mpc {

// A word is replaced by the stream's word, or by their sum, difference or XOR.
enum class Combine : unsigned char { kFill, kAdd, kSubtract, kFlip };

// The place of one reader in a stream. The reader wipes it at its end.
struct AesState {
  alignas(16) std::uint64_t rounds[11][2];  // the expanded key
  std::uint64_t low, high;  // the counter of the next block, which the cipher reads with its highest byte first
  std::uint64_t second;     // of the last block, if a draw ended between its two words
  bool has_second;
};

struct AesWords {
  using Word = std::uint64_t;

  // The counter is a number modulo 2^128. Both have 16 bytes.
  void (*start)(const unsigned char* key, const unsigned char* counter, AesState& state);
  // words[i] = combine(words[i], the stream's next word) & mask.
  void (*draw)(AesState& state, Combine how, Word* words, std::int64_t n, Word mask);
};

// Null if the processor has no such instructions, or `instructions` leaves them out.
const AesWords* aes_words(Instructions instructions);

const AesWords& aes_words_vaes();

}  // namespace tacit::mpc
