#include "mpc/session/clear.h"

#include <cstring>

namespace tacit::mpc {

namespace {

PairSeed stream_of(std::uint64_t seed) {
  net::Secret key(PairSeed::kSeedBytes);
  std::memcpy(key.bytes().data(), &seed, sizeof seed);
  return PairSeed(std::move(key), Nonce{});
}

}  // namespace

Clear::Clear(Workers& workers, std::uint64_t seed) : workers_(workers), stream_(stream_of(seed)) {}

void Clear::begin(std::int64_t operation) {
  operation_ = operation;
  draws_ = 0;
}

RingTensor Clear::dither(Shape shape, int ring_bits, int bits) {
  RingTensor words(shape, ring_bits);
  stream_.fill({operation_, Draw::kMask, draws_++}, words);
  for (std::uint64_t& word : words.words()) word &= low_bits(bits);
  return words;
}

}  // namespace tacit::mpc
