// Words — a tensor as net sees it: 64-bit words of which the low `bits` count, added modulo 2^bits; or whole words of
// bits, added modulo 2 each.
//
// Views: they own nothing. The upper bits of a word in memory may be anything; they never leave the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "net/error.h"

namespace tacit::net {

inline constexpr int kWordBits = 64;

inline std::uint64_t word_mask(int bits) {
  TACIT_CHECK(bits >= 1 && bits <= kWordBits);
  return ~std::uint64_t{0} >> (kWordBits - bits);
}

// All that a cost depends on.
struct WordShape {
  std::int64_t count = 0;
  int bits = kWordBits;
};

// How the tensors of the parties become one. By kXor, words have all their 64 bits: each is a number modulo 2.
enum class Sum : unsigned char { kAdd, kXor };

struct Words {
  std::span<std::uint64_t> words;
  int bits = kWordBits;
  Sum sum = Sum::kAdd;

  std::int64_t count() const { return std::ssize(words); }
  WordShape shape() const { return {count(), bits}; }
  Words part(std::int64_t begin, std::int64_t size) const {
    return {words.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size)), bits, sum};
  }
};

struct ConstWords {
  std::span<const std::uint64_t> words;
  int bits = kWordBits;

  ConstWords() = default;
  ConstWords(std::span<const std::uint64_t> w, int b) : words(w), bits(b) {}
  ConstWords(const Words& w) : words(w.words), bits(w.bits) {}  // as a span converts

  std::int64_t count() const { return std::ssize(words); }
  WordShape shape() const { return {count(), bits}; }
};

// Several tensors, each of its own width, that travel together.
using Tensors = std::span<const Words>;

inline std::vector<WordShape> shapes(Tensors tensors) {
  std::vector<WordShape> all;
  all.reserve(tensors.size());
  for (const Words& tensor : tensors) all.push_back(tensor.shape());
  return all;
}

}  // namespace tacit::net
