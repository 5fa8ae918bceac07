#include "mpc/lattice/ring.h"

#include "mpc/ring/ring.h"

namespace tacit::mpc::lattice {

Ring::Ring(const Modulus& modulus, Instructions instructions)
    : modulus_(modulus), loops_(residue_loops(instructions)), rounding_(modulus) {
  for (const std::uint64_t p : modulus.primes) {
    const Prime prime(p);
    const Transform& transform = transforms_.emplace_back(prime, instructions);
    const std::uint64_t degree = transform.inverse_degree();
    const auto word = static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) % p);
    const std::uint64_t inverse = rounding_.cofactor_inverse(std::ssize(terms_));
    coefficients_.push_back(prime.factor(degree));
    terms_.push_back(prime.factor(prime.public_product(prime.public_product(degree, word), inverse)));
    low_ *= p;
  }
}

void Ring::residues(std::int64_t limb, const std::uint64_t* words, std::int64_t length, std::uint64_t* out) const {
  const Prime modulo = prime(limb);
  const std::uint64_t twice = 2 * modulo.value();
  for (std::int64_t i = 0; i < length; ++i) out[i] = less(modulo.from_signed(words[i]), twice);
  std::fill(out + length, out + kDegree, 0);
}

void Ring::add_message(std::int64_t limb, const std::uint64_t* words, int k, std::uint64_t* out) const {
  const Prime modulo = prime(limb);
  const std::uint64_t p = modulo.value(), half = std::uint64_t{1} << (k - 1);
  const std::uint64_t inverse = modulo.public_inverse(modulo.public_power(2, static_cast<std::uint64_t>(k)));
  const Factor minus_inverse = modulo.factor(p - inverse);
  for (std::int64_t i = 0; i < kDegree; ++i) {
    const std::uint64_t remainder = (words[i] * low_ + half) & low_bits(k);
    out[i] += minus_inverse.times(modulo.from_signed(remainder - half), p);
  }
}

}  // namespace tacit::mpc::lattice
