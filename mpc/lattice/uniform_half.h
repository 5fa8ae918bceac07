// UniformHalves — the halves `a` of one party's ciphertexts under one modulus. Both ends of a link make them from the session's
// nonce, so no `a` travels, and the key's holder cannot choose one.
//
// The name of an `a` is the holder, the modulus and the number of the encryption, which only grows. A name serves one message: two
// messages under one `a` would show their difference, so a second use is a BrokenInvariant. Thread: one; expand() any.
#pragma once

#include "mpc/lattice/ring.h"
#include "mpc/random/pair_seed.h"

namespace tacit::mpc::lattice {

class UniformHalves {
 public:
  UniformHalves(const Nonce& nonce, int holder, const Modulus& modulus);

  // The seed of this encryption's `a`, once.
  net::Secret seed(std::int64_t number);
  // `a` itself: uniform transforms. A ciphertext that stays is expanded for each of its products.
  Limbs expand(const net::Secret& seed, const Ring& ring) const;

 private:
  Nonce nonce_;
  PairSeed names_;
};

}  // namespace tacit::mpc::lattice
