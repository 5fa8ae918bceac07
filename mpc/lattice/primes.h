// primes — the moduli of the lattice ciphertexts: products Q of primes p with p = 1 mod 2N, for the ring Z[X]/(X^N + 1).
//
// A secret of a modulus is ternary and an error has the standard deviation 3.24. With N = 8192, log2 Q <= 214 gives 128 bits of
// security against classical attacks (Bossuat and others, Security Guidelines for Implementing Homomorphic Encryption, ePrint
// 2024/463, table 5.2).
#pragma once

#include <cstdint>
#include <span>

namespace tacit::mpc::lattice {

inline constexpr std::int64_t kDegree = 8192;  // N

struct Modulus {
  int bits = 0;        // log2 Q, rounded up
  int prime_bits = 0;  // bits of a residue in a message
  std::span<const std::uint64_t> primes;

  std::int64_t limbs() const { return std::ssize(primes); }
  // The half of a ciphertext that travels.
  std::int64_t message_bytes() const { return limbs() * kDegree * prime_bits / 8; }
};

// 150, 180 and 210 bits.
inline constexpr int kModuli = 3;
const Modulus& modulus(int number);

// The number of the least modulus for products in Z_2^bits.
int least_modulus(int bits);

}  // namespace tacit::mpc::lattice
