// Block is the 128-bit value of oblivious transfers: a key, a seed, an input or output of AES.
//
// SecretBlocks owns blocks and wipes them in its destructor. It can be moved, but not copied. Thread: plain values.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "mpc/ring/word_memory.h"

namespace tacit::mpc {

struct alignas(16) Block {
  std::uint64_t low, high;

  friend Block operator^(const Block& a, const Block& b) { return {a.low ^ b.low, a.high ^ b.high}; }
  Block& operator^=(const Block& other) { return *this = *this ^ other; }
  // The block if the bit is 1, otherwise zero.
  friend Block operator*(std::uint64_t bit, const Block& a) { return {a.low & (0 - bit), a.high & (0 - bit)}; }
  bool operator==(const Block&) const = default;
};
static_assert(sizeof(Block) == 16);

inline constexpr std::int64_t kBlockBits = 128;

// Bit k is bit 0 of the k-th of at most 128 blocks; further bits are 0.
Block first_bits(std::span<const Block> blocks);

class SecretBlocks {
 public:
  SecretBlocks() = default;
  explicit SecretBlocks(std::int64_t count) : words_(2 * count) {}  // not initialised
  static SecretBlocks zeros(std::int64_t count);
  SecretBlocks(SecretBlocks&&) noexcept = default;
  SecretBlocks& operator=(SecretBlocks&& other) noexcept {
    std::swap(words_, other.words_);
    return *this;
  }
  SecretBlocks(const SecretBlocks&) = delete;
  SecretBlocks& operator=(const SecretBlocks&) = delete;
  ~SecretBlocks();

  std::int64_t size() const { return words_.size() / 2; }
  Block* data() { return reinterpret_cast<Block*>(words_.data()); }
  const Block* data() const { return reinterpret_cast<const Block*>(words_.data()); }
  // Two for each block, the low one first.
  std::uint64_t* words() { return words_.data(); }
  const std::uint64_t* words() const { return words_.data(); }
  Block& operator[](std::int64_t i) { return data()[i]; }
  const Block& operator[](std::int64_t i) const { return data()[i]; }
  std::span<Block> blocks() { return {data(), static_cast<std::size_t>(size())}; }
  std::span<const Block> blocks() const { return {data(), static_cast<std::size_t>(size())}; }

 private:
  WordMemory words_;
};

}  // namespace tacit::mpc
