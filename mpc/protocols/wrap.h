// The arithmetic of a shown word: the offset that show adds, and the wrap (carry out of the ring)
// that lift adds back (see lift.h).
#pragma once

#include <cstdint>

#include "mpc/ring/ring.h"

namespace tacit::mpc {

// M = x + 2^(k-2) + r
constexpr std::uint64_t shown_offset(int k) { return std::uint64_t{1} << (k - 2); }

// The two terms of the wrap of r: r >> k in Z_2^q, and sigma.
constexpr std::uint64_t wrap_over(std::uint64_t r, int k, int q) { return (r >> k) & low_bits(q); }
constexpr std::uint64_t wrap_sigma(std::uint64_t r, int k) { return (r >> (k - 1)) & 1; }

// All ones if M's top bit is not set, so that sigma counts.
constexpr std::uint64_t wraps(std::uint64_t m, int k) { return (m >> (k - 1)) - 1; }

// The wrap that lift adds, from shares of the two terms.
constexpr std::uint64_t wrap_of(std::uint64_t over, std::uint64_t sigma, std::uint64_t m, int k) {
  return (over + (sigma & wraps(m, k))) << k;
}

}  // namespace tacit::mpc
