// Words is a tensor in net: words of 64 bits that hold numbers of `bits` bits, added modulo 2^bits;
// or whole words of bits, each bit added modulo 2.
//
// Words is a view and owns nothing. The upper bits of a word in memory are arbitrary and never leave
// the process.
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

// The properties of a tensor that determine a cost.
struct WordShape {
  std::int64_t count = 0;
  int bits = kWordBits;
};

// The operation that combines the tensors of the parties. With kXor, all 64 bits of a word count,
// and each bit is a number modulo 2.
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
  ConstWords(const Words& w) : words(w.words), bits(w.bits) {}  // implicit, like the conversion of spans

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
