// ResidueLoops — the loops over residues in which products spend their time, chosen once for the machine's instructions.
//
// All choices give the same residues, up to multiples of the prime within the stated ranges. No branch and no address depends on the
// words.
#pragma once

#include <span>
#include <vector>

#include "mpc/kernels/cpu.h"
#include "mpc/lattice/prime.h"
#include "mpc/lattice/primes.h"

namespace tacit::mpc::lattice {

// Constant factors of a transform: at i, the power of the 2N-th root whose exponent is i with its bits reversed.
struct Roots {
  std::vector<std::uint64_t> value, quotient;  // of each Factor

  Factor operator[](std::int64_t i) const {
    return {value[static_cast<std::size_t>(i)], quotient[static_cast<std::size_t>(i)]};
  }
};

// A ciphertext's two halves and a multiplier, one limb each: kDegree words.
struct LimbProduct {
  const std::uint64_t* a = nullptr;
  const std::uint64_t* b = nullptr;
  const std::uint64_t* multiplier = nullptr;
};

// Sums that are not reduced: low[i] + 2^radix · high[i].
struct SumWords {
  std::uint64_t* low = nullptr;
  std::uint64_t* high = nullptr;
};

struct ResidueLoops {
  static constexpr std::int64_t kGroup = 4;
  // Between two calls of Prime::from_word for the high words, and of a carry from the low ones.
  static constexpr std::int64_t kTermsPerCarry = 2048;

  int radix = 64;

  // Transform::forward and backward.
  void (*forward)(std::uint64_t* words, std::int64_t length, const Roots& roots, std::uint64_t p) = nullptr;
  void (*backward)(std::uint64_t* words, const Roots& inverse_roots, const Factor& scale, std::uint64_t p) = nullptr;
  // a += the sum of the products' a·multiplier, value by value; b likewise. At most kGroup products, of factors below 4p and p.
  void (*multiply_add)(std::span<const LimbProduct> products, const SumWords& a, const SumWords& b) = nullptr;

  Wide sum(const SumWords& sums, std::int64_t i) const {
    return sums.low[i] + (static_cast<Wide>(sums.high[i]) << radix);
  }
  void set(const SumWords& sums, std::int64_t i, Wide value) const {
    sums.low[i] = static_cast<std::uint64_t>(value) & (~std::uint64_t{0} >> (64 - radix));
    sums.high[i] = static_cast<std::uint64_t>(value >> radix);
  }
};

const ResidueLoops& residue_loops(Instructions instructions);

const ResidueLoops& portable_residue_loops();
const ResidueLoops& ifma_residue_loops();

// The levels that a forward transform need not compute: while the second half of each block is zero, a butterfly copies the first
// half. Copies, and returns the next level's half block, which is at least `least`.
std::int64_t copy_short_polynomial(std::uint64_t* words, std::int64_t length, std::int64_t least);

}  // namespace tacit::mpc::lattice
