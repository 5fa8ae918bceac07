// Ring — polynomials modulo X^N + 1 and modulo Q: transforms by prime, messages scaled to Q, and rounding back.
#pragma once

#include <vector>

#include "mpc/lattice/limbs.h"
#include "mpc/lattice/rounding.h"
#include "mpc/lattice/transform.h"

namespace tacit::mpc::lattice {

class Ring {
 public:
  explicit Ring(const Modulus& modulus, Instructions instructions = best_instructions());

  const Modulus& modulus() const { return modulus_; }
  std::int64_t limbs() const { return modulus_.limbs(); }
  const Transform& transform(std::int64_t limb) const { return transforms_[static_cast<std::size_t>(limb)]; }
  const Prime& prime(std::int64_t limb) const { return transform(limb).prime(); }
  const Rounding& rounding() const { return rounding_; }
  const ResidueLoops& loops() const { return loops_; }

  // out = words mod p, below 2p: `length` numbers in two's complement, and zeros.
  void residues(std::int64_t limb, const std::uint64_t* words, std::int64_t length, std::uint64_t* out) const;
  // out += round(Q·m / 2^k) mod p, for words m of k bits. Adds less than 2p. Exact: modulo p, Q is zero, so only the remainder
  // of Q·m + 2^(k-1) modulo 2^k counts, and Q modulo 2^64 determines it.
  void add_message(std::int64_t limb, const std::uint64_t* words, int k, std::uint64_t* out) const;

  // Scales of Transform::backward: to coefficients; and from sums that Prime::montgomery reduced to the terms of Rounding.
  const Factor& to_coefficients(std::int64_t limb) const { return coefficients_[static_cast<std::size_t>(limb)]; }
  const Factor& to_terms(std::int64_t limb) const { return terms_[static_cast<std::size_t>(limb)]; }

 private:
  const Modulus& modulus_;
  const ResidueLoops& loops_;
  std::vector<Transform> transforms_;
  Rounding rounding_;
  std::vector<Factor> coefficients_, terms_;
  std::uint64_t low_ = 1;  // Q mod 2^64
};

}  // namespace tacit::mpc::lattice
