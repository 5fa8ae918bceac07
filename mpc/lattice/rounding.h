// Rounding — a number modulo Q, given by its residues, as a fraction of Q: round(2^w·x / Q) mod 2^w.
//
// With t_i = x·(Q/p_i)^-1 mod p_i, x/Q is the sum of t_i/p_i, modulo 1. The constants 1/p_i have 192 bits after the point and are
// rounded down, so the sum is too low by less than 4·2^50·2^-192 = 2^-140 (or 5·2^42·2^-192). With w <= 73, the result equals the
// exact one, or is one less if the exact fraction is less than 2^-67 above a half. No branch depends on x.
#pragma once

#include <array>
#include <vector>

#include "mpc/lattice/prime.h"
#include "mpc/lattice/primes.h"

namespace tacit::mpc::lattice {

class Rounding {
 public:
  explicit Rounding(const Modulus& modulus);

  // (Q/p)^-1 mod p, for the prime with this number.
  std::uint64_t cofactor_inverse(std::int64_t limb) const { return inverses_[static_cast<std::size_t>(limb)]; }

  // terms[i] has t_i of all coefficients; w is 1 … 73.
  Wide rounded(std::span<const std::uint64_t* const> terms, std::int64_t coefficient, int w) const {
    Wide low = 0, top = 0;  // the sum is top·2^64 + low's low word; low's high word counts carries
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::uint64_t t = terms[i][coefficient];
      const auto& [first, second, third] = reciprocals_[i];
      const Wide lowest = product(t, third);
      low += static_cast<std::uint64_t>(lowest);
      top += (static_cast<Wide>(t * first) << 64) + product(t, second) + high_word(lowest);
    }
    top += high_word(low);
    return (top + (static_cast<Wide>(1) << (127 - w))) >> (128 - w);
  }

 private:
  std::vector<std::uint64_t> inverses_;
  std::vector<std::array<std::uint64_t, 3>> reciprocals_;  // floor(2^192 / p), the highest word first
};

}  // namespace tacit::mpc::lattice
