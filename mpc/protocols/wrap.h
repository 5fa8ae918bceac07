// The arithmetic of a shown word: the offset that show adds, and the wrap (carry out of the ring)
// that lift adds back (see lift.h).
#pragma once

#include <cstdint>

#include "mpc/kernels/loops.h"
#include "mpc/ring/ring.h"
#include "mpc/ring/ring_tensor.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

// M = x + 2^(k-2) + r
constexpr std::uint64_t shown_offset(int k) { return std::uint64_t{1} << (k - 2); }

// The two terms of the wrap of r: r >> k in Z_2^q, and sigma.
constexpr std::uint64_t wrap_over(std::uint64_t r, int k, int q) { return (r >> k) & low_bits(q); }
constexpr std::uint64_t wrap_sigma(std::uint64_t r, int k) { return (r >> (k - 1)) & 1; }

// All ones if M's top bit is not set, so that sigma counts.
constexpr std::uint64_t wraps(std::uint64_t m, int k) { return (m >> (k - 1)) - 1; }

// A party's lift of a shown value to `out`, to which the shares of the two terms are added for a wider ring.
inline LiftWords lift_words(const Shown& shown, bool first, RingTensor& out) {
  const int k = shown.ring_bits();
  return {.m = Inside::revealed(shown).data(),
          .r = Inside::mask(shown).data(),
          .over = nullptr,
          .sigma = nullptr,
          .out = out.data(),
          .bits = k,
          .offset = shown_offset(k),
          .all = first ? ~std::uint64_t{0} : 0,
          .mask = low_bits(out.bits())};
}

// The wrap that lift adds, from shares of the two terms.
constexpr std::uint64_t wrap_of(std::uint64_t over, std::uint64_t sigma, std::uint64_t m, int k) {
  return (over + (sigma & wraps(m, k))) << k;
}

}  // namespace tacit::mpc
