// Prime — arithmetic modulo a prime p of at most 50 bits, without branches. Each function states the range of its result, because a
// reduction is put off as long as the range allows.
//
// Papers      Montgomery, Modular Multiplication Without Trial Division, 1985; Harvey, Faster Arithmetic for Number-Theoretic
//             Transforms, 2014 (Factor: Shoup's multiplication by a constant)
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/error.h"

namespace tacit::mpc::lattice {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t high_word(Wide x) { return static_cast<std::uint64_t>(x >> 64); }
constexpr Wide product(std::uint64_t x, std::uint64_t y) { return static_cast<Wide>(x) * y; }

// x - bound if x >= bound; for x < 2·bound <= 2^63. The difference wraps to a large word otherwise.
inline std::uint64_t less(std::uint64_t x, std::uint64_t bound) { return std::min(x, x - bound); }

// A constant factor, and floor(2^64·factor / p).
struct Factor {
  std::uint64_t value = 0;
  std::uint64_t quotient = 0;

  // y·value mod p, below 2p, for any word y.
  std::uint64_t times(std::uint64_t y, std::uint64_t p) const {
    return y * value - high_word(product(y, quotient)) * p;
  }
};

class Prime {
 public:
  explicit Prime(std::uint64_t p) : p_(p), quotient_(~std::uint64_t{0} / p), inverse_(p) {
    TACIT_CHECK(p % 2 == 1 && p >> 50 == 0);
    for (int i = 0; i < 5; ++i) inverse_ *= 2 - p * inverse_;  // Newton: 3 bits are right, then 6, 12, …
    offset_ = p - from_word(std::uint64_t{1} << 63) % p;
  }

  std::uint64_t value() const { return p_; }

  // x / 2^64 mod p, below p, for x < 2^64·p.
  std::uint64_t montgomery(Wide x) const {
    const std::uint64_t multiple = high_word(product(static_cast<std::uint64_t>(x) * inverse_, p_));
    const std::uint64_t difference = high_word(x) - multiple;  // between -p and p
    return difference + (p_ & -(difference >> 63));
  }

  // The same for any x.
  std::uint64_t montgomery_of_any(Wide x) const {
    const std::uint64_t high = less(from_word(high_word(x)), p_);
    return montgomery(static_cast<Wide>(high) << 64 | static_cast<std::uint64_t>(x));
  }

  // x mod p, below 2p, for any word.
  std::uint64_t from_word(std::uint64_t x) const { return x - high_word(product(x, quotient_)) * p_; }

  // x mod p, below 3p, for any number in two's complement.
  std::uint64_t from_signed(std::uint64_t x) const { return from_word(x ^ (std::uint64_t{1} << 63)) + offset_; }

  // x mod p, below p, for x < 4p.
  std::uint64_t reduced(std::uint64_t x) const { return less(less(x, 2 * p_), p_); }

  // For public numbers below p: the time depends on them.
  Factor factor(std::uint64_t value) const {
    return {value, static_cast<std::uint64_t>((static_cast<Wide>(value) << 64) / p_)};
  }
  std::uint64_t public_product(std::uint64_t x, std::uint64_t y) const {
    return static_cast<std::uint64_t>(product(x, y) % p_);
  }
  std::uint64_t public_power(std::uint64_t base, std::uint64_t exponent) const {
    std::uint64_t power = 1;
    for (; exponent > 0; exponent /= 2, base = public_product(base, base)) {
      if (exponent % 2 == 1) power = public_product(power, base);
    }
    return power;
  }
  std::uint64_t public_inverse(std::uint64_t x) const { return public_power(x % p_, p_ - 2); }

 private:
  std::uint64_t p_;
  std::uint64_t quotient_;  // floor((2^64 - 1) / p): p is odd
  std::uint64_t inverse_;   // 1/p mod 2^64
  std::uint64_t offset_;    // -2^63 mod p
};

}  // namespace tacit::mpc::lattice
