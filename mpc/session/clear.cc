#include "mpc/session/clear.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tacit::mpc {

namespace {

PairSeed stream_of(std::uint64_t seed, Workers& workers) {
  net::Secret key(PairSeed::kSeedBytes);
  std::memcpy(key.bytes().data(), &seed, sizeof seed);
  return PairSeed(std::move(key), Nonce{}, &workers);
}

}  // namespace

Clear::Clear(Workers& workers, std::uint64_t seed) : workers_(workers), stream_(stream_of(seed, workers)) {}

void Clear::begin(std::int64_t operation) {
  operation_ = operation;
  draws_ = 0;
}

void Clear::expect_below(std::string_view what, const RingTensor& x, std::int64_t at, double limit, int fraction_bits) {
  double largest = 0;
  for (const std::uint64_t word : x.words()) {
    largest = std::max(largest, std::abs(static_cast<double>(signed_value(word, x.bits()) - at)));
  }
  if (largest < limit) return;
  largest = std::ldexp(largest, -fraction_bits);
  const auto known = std::find_if(violations_.begin(), violations_.end(), [&](const RangeViolation& violation) {
    return violation.step == step_ && violation.what == what;
  });
  const double real_limit = std::ldexp(limit, -fraction_bits);
  RangeViolation& line =
      known != violations_.end()
          ? *known
          : violations_.emplace_back(RangeViolation{step_, std::string(what), largest, real_limit, 0});
  line.largest = std::max(line.largest, largest);
  ++line.count;
}

UniformWords Clear::uniform_words() {
  RingTensor key(Shape{1, PairSeed::kSeedBytes / static_cast<std::int64_t>(sizeof(std::uint64_t))}, kWordBits);
  stream_.fill({operation_, Draw::kMask, draws_++}, key);
  net::Secret seed(PairSeed::kSeedBytes);
  std::memcpy(seed.bytes().data(), key.data(), key.words().size_bytes());
  return UniformWords(PairSeed(std::move(seed), Nonce{}));
}

RingTensor Clear::dither(Shape shape, int ring_bits, int bits) {
  RingTensor words(shape, ring_bits);
  stream_.fill({operation_, Draw::kMask, draws_++}, words);
  for (std::uint64_t& word : words.words()) word &= low_bits(bits);
  return words;
}

}  // namespace tacit::mpc
