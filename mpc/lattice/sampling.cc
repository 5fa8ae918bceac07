#include "mpc/lattice/sampling.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <bit>

namespace tacit::mpc::lattice {

namespace {

constexpr std::int64_t kPairs = 32;  // of bits, in a word

// Words for kDegree ternary numbers, with a spare that suffices but once in 10^20 polynomials. Wiped.
struct TernaryWords {
  std::array<std::uint64_t, 384> drawn;
  std::array<std::uint64_t, kPairs> pairs;
  ~TernaryWords() { sodium_memzero(this, sizeof *this); }
};

// The number of ones among the 21 low bits. The library's function may read a table, at an address that tells the bits.
std::uint64_t ones_of_21(std::uint64_t x) {
  x &= 0x1fffff;
  x -= x >> 1 & 0x155555;
  x = (x & 0x333333) + (x >> 2 & 0x333333);
  x = (x + (x >> 4)) & 0x0f0f0f;
  return (x + (x >> 8) + (x >> 16)) & 0x1f;
}

}  // namespace

void Stream::fill(std::span<std::uint64_t> words) {
  std::fill(words.begin(), words.end(), 0);
  seed_.add({.operation = fills_++, .draw = Draw::kOwn}, words);
}

Stream own_stream(const Nonce& nonce) { return Stream(PairSeed::own(nonce)); }

std::int64_t accept_below(std::uint64_t bound, std::span<const std::uint64_t> drawn, std::uint64_t* out,
                          std::int64_t count) {
  for (std::size_t i = 0; i < drawn.size() && count < kDegree; ++i) {
    out[count] = drawn[i];
    count += static_cast<std::int64_t>((drawn[i] - bound) >> 63);
  }
  return count;
}

void draw_ternary(Stream& random, std::uint64_t* out) {
  TernaryWords words;
  for (std::int64_t count = 0; count < kDegree;) {
    random.fill(words.drawn);
    for (const std::uint64_t word : words.drawn) {
      for (std::int64_t i = 0; i < kPairs; ++i) words.pairs[static_cast<std::size_t>(i)] = word >> 2 * i & 3;
      count = accept_below(3, words.pairs, out, count);
    }
  }
  for (std::int64_t i = 0; i < kDegree; ++i) --out[i];
}

void draw_errors(Stream& random, std::uint64_t* out) {
  random.fill({out, static_cast<std::size_t>(kDegree)});
  for (std::int64_t i = 0; i < kDegree; ++i) out[i] = ones_of_21(out[i]) - ones_of_21(out[i] >> 21);
}

void draw_uniform(Stream& random, const Prime& prime, std::uint64_t* out) {
  const std::uint64_t mask = std::bit_ceil(prime.value()) - 1;
  for (std::int64_t count = 0; count < kDegree;) {
    const std::span drawn(out + count, static_cast<std::size_t>(kDegree - count));
    random.fill(drawn);
    for (std::uint64_t& word : drawn) word &= mask;
    count = accept_below(prime.value(), drawn, out, count);
  }
}

}  // namespace tacit::mpc::lattice
