// Exact integers for tests of the lattice: numbers modulo Q from their residues, by OpenSSL's big numbers.
#pragma once

#include <openssl/bn.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "mpc/lattice/limbs.h"
#include "mpc/lattice/prime.h"
#include "mpc/lattice/ring.h"

namespace tacit::mpc::lattice {

class Exact {
 public:
  Exact(std::uint64_t value = 0);  // NOLINT(google-explicit-constructor): a number
  Exact(const Exact& other);
  Exact& operator=(const Exact& other);
  ~Exact() { BN_free(value_); }

  static Exact power_of_two(int exponent) { return Exact(1).shifted(exponent); }

  Exact operator+(const Exact& other) const;
  Exact operator-(const Exact& other) const;
  Exact operator*(const Exact& other) const;
  Exact operator/(const Exact& other) const;  // towards zero
  Exact operator%(const Exact& other) const;  // never negative, for a positive `other`
  Exact shifted(int bits) const;
  bool operator==(const Exact& other) const { return BN_cmp(value_, other.value_) == 0; }
  bool operator<(const Exact& other) const { return BN_cmp(value_, other.value_) < 0; }

  std::uint64_t residue(std::uint64_t p) const { return BN_mod_word((*this % Exact(p)).value_, p); }
  Wide low() const;  // of a number that is not negative
  double value() const;

 private:
  BIGNUM* value_;
};

Exact modulus_of(const Ring& ring);
// The number modulo Q with these terms of Rounding: t_i = x·(Q/p_i)^-1 mod p_i.
Exact from_terms(const Ring& ring, const Limbs& terms, std::int64_t coefficient);
// Between -Q/2 and Q/2.
Exact centred(const Exact& x, const Exact& q);

}  // namespace tacit::mpc::lattice
