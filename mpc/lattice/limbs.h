// Limbs — a polynomial's coefficients, or its transforms, modulo each prime of a modulus: kDegree words a prime. SecretLimbs are
// wiped. Thread: a plain value.
#pragma once

#include <span>
#include <vector>

#include "mpc/lattice/primes.h"
#include "mpc/ring/word_memory.h"

namespace tacit::mpc::lattice {

class Limbs {
 public:
  Limbs() = default;
  explicit Limbs(std::int64_t count) {  // not initialised
    for (std::int64_t i = 0; i < count; ++i) limbs_.emplace_back(kDegree);
  }

  std::int64_t count() const { return std::ssize(limbs_); }
  std::uint64_t* operator[](std::int64_t limb) { return limbs_[static_cast<std::size_t>(limb)].data(); }
  const std::uint64_t* operator[](std::int64_t limb) const { return limbs_[static_cast<std::size_t>(limb)].data(); }

 private:
  std::vector<WordMemory> limbs_;
};

class SecretLimbs : public Limbs {
 public:
  using Limbs::Limbs;
  SecretLimbs(SecretLimbs&&) noexcept = default;
  SecretLimbs(const SecretLimbs&) = delete;
  SecretLimbs& operator=(const SecretLimbs&) = delete;
  SecretLimbs& operator=(SecretLimbs&&) = delete;
  ~SecretLimbs();
};

}  // namespace tacit::mpc::lattice
