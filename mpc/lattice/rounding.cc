#include "mpc/lattice/rounding.h"

namespace tacit::mpc::lattice {

Rounding::Rounding(const Modulus& modulus) {
  for (const std::uint64_t p : modulus.primes) {
    const Prime prime(p);
    std::uint64_t cofactor = 1;
    for (const std::uint64_t other : modulus.primes) {
      if (other != p) cofactor = prime.public_product(cofactor, other % p);
    }
    inverses_.push_back(prime.public_inverse(cofactor));
    Wide rest = 1;
    std::array<std::uint64_t, 3> reciprocal;
    for (std::uint64_t& word : reciprocal) {
      rest <<= 64;
      word = static_cast<std::uint64_t>(rest / p);
      rest %= p;
    }
    reciprocals_.push_back(reciprocal);
  }
}

}  // namespace tacit::mpc::lattice
