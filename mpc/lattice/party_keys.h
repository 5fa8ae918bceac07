// PartyKeys — for one modulus and one session: this party's key, the public keys of all parties, and the names of the halves `a` of
// their ciphertexts.
//
// Thread: one; const functions any.
#pragma once

#include <vector>

#include "mpc/lattice/key.h"
#include "mpc/lattice/uniform_half.h"

namespace tacit::mpc::lattice {

class PartyKeys {
 public:
  PartyKeys(const Modulus& modulus, const Nonce& nonce, int rank, int parties);

  const Ring& ring() const { return ring_; }
  const Nonce& nonce() const { return nonce_; }
  int rank() const { return rank_; }
  const Key& key() const { return key_; }

  // Writes this party's public key. Once.
  void write_public_key(std::span<std::byte> message);
  // Reads another party's public key. Throws ProtocolError if a residue is not below its prime.
  void read_public_key(int holder, std::span<const std::byte> message);
  const Ciphertext& public_key(int holder) const { return public_keys_[static_cast<std::size_t>(holder)]; }

  // Reserves the numbers of the next `count` encryptions of every party, and returns the first.
  std::int64_t reserve(std::int64_t count);
  // The seeds of `a` of these encryptions. Once.
  std::vector<net::Secret> seeds(int holder, std::int64_t first, std::int64_t count);
  // `a` itself: uniform transforms.
  Limbs half(const net::Secret& seed) const { return halves_.front().expand(seed, ring_); }

 private:
  const Ring ring_;
  const Nonce nonce_;
  const int rank_;
  const Key key_;
  std::vector<UniformHalves> halves_;    // by holder
  std::vector<Ciphertext> public_keys_;  // by holder
  std::int64_t encryptions_ = 1;         // of each party, its public key included
};

// The error of a peer's message with a residue that is not below its prime.
[[noreturn]] void report_residue(int peer);

}  // namespace tacit::mpc::lattice
