#include "mpc/random/uniform_words.h"

#include <sodium.h>

#include <bit>
#include <utility>

namespace tacit::mpc {

namespace {

constexpr std::int64_t kBufferWords = 1024;

int bits_of(DoubleWord number) {
  const auto high = static_cast<std::uint64_t>(number >> kWordBits);
  return high != 0 ? kWordBits + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

}  // namespace

UniformWords::UniformWords(PairSeed seed)
    : seed_(std::move(seed)), buffer_(Shape{1, kBufferWords}, kWordBits), used_(kBufferWords) {}

UniformWords::~UniformWords() { sodium_memzero(buffer_.data(), buffer_.words().size_bytes()); }

void UniformWords::refill() {
  seed_.fill({fills_++, Draw::kOwn, 0}, buffer_);
  used_ = 0;
}

std::uint64_t UniformWords::next() {
  if (used_ == kBufferWords) refill();
  return std::exchange(buffer_.data()[used_++], 0);
}

DoubleWord UniformWords::below(DoubleWord limit) {
  TACIT_CHECK(limit >= 1);
  const int bits = bits_of(limit - 1);
  for (;;) {
    DoubleWord drawn = next() & low_bits(bits < kWordBits ? bits : kWordBits);
    if (bits > kWordBits) drawn |= DoubleWord{next() & low_bits(bits - kWordBits)} << kWordBits;
    if (drawn < limit) return drawn;
  }
}

}  // namespace tacit::mpc
