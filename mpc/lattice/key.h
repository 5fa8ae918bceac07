// Key — one party's secret for one modulus and one session: encrypts its share of an operand, and opens answers.
//
// An encryption of the polynomial m with k bits a coefficient is (a, b) with b + a·s = round(Q·m / 2^k) + e: s ternary, e centred
// binomial. Only b travels (UniformHalves has a). The public key is an encryption of zero. The secret and all errors are wiped.
// Thread: encrypt() and open() may run on several threads at once.
#pragma once

#include "mpc/lattice/answer.h"

namespace tacit::mpc::lattice {

class Key {
 public:
  Key(const Ring& ring, Stream random);

  // Writes the residues of b, limb after limb: Modulus::message_bytes(). `message` has kDegree words of k bits. `error` draws e; it
  // serves no other encryption.
  void encrypt(const std::uint64_t* message, int k, const Limbs& a, Stream error, std::span<std::byte> b) const;

  // The holder's share of each wanted coefficient: floor((a''·s + 2^6·hint + 2^8) / 2^9) mod 2^k.
  void open(std::span<const std::byte> answer, int k, std::span<const std::int64_t> wanted,
            std::span<std::uint64_t> shares) const;

  // Transforms of s, times 2^64.
  const SecretLimbs& secret() const { return secret_; }

 private:
  const Ring& ring_;
  SecretLimbs secret_;
};

// The residues of b. False if one is not below its prime.
bool read_residues(const Ring& ring, std::span<const std::byte> message, Limbs& b);

}  // namespace tacit::mpc::lattice
