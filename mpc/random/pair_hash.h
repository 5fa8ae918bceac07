// PairHash is a running keyed hash of words, under a key that only two ranks share: equal tags mean equal
// words.
//
// NH in blocks of 128 words (the inner hash of UMAC and VMAC: Black and others 1999, Krovetz and Dai 2007).
// The results of NH and the lengths of the absorbed tensors go into Poly1305 (Bernstein 2005). Both keys come
// from the pair's seed.
//
// Collides    two unequal sequences of tensors, chosen without the key, have equal tags with a probability below
//             2^-63: NH of a block that differs collides with 2^-64, Poly1305 of b results with (b + 1)/2^102. Each
//             of the two ranks knows the key and can make collisions; a third rank cannot. The same bound holds for
//             every difference of two tags modulo 2^128, and so for sums of tags under independent keys
// Speed       one multiplication of 64 bits for two words
// Thread      one at a time
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mpc/random/pair_seed.h"

struct crypto_onetimeauth_poly1305_state;

namespace tacit::mpc {

using HashTag = std::array<std::byte, 16>;

class PairHash {
 public:
  // Draws its keys from the seed, before the first operation. Hashes of other numbers have keys that are independent.
  PairHash(PairSeed& seed, int number);
  ~PairHash();
  PairHash(PairHash&&) noexcept;

  // Adds a tensor, or a message in some pieces, and its length.
  void absorb(std::span<const std::uint64_t> words);
  void absorb(std::span<const net::ConstBytes> message);

  // The same as absorb(words) in two steps. The digest of a tensor is the input of Poly1305: the length, and the results of NH.
  // Digests of several tensors can be made on several threads at once, as no digest depends on another. Then one thread
  // absorbs them in order, at once if they follow each other in memory: a digest has 1/64 of the words.
  __extension__ using Entry = unsigned __int128;
  static std::int64_t digest_entries(std::int64_t words);
  void digest(std::span<const std::uint64_t> words, std::span<Entry> digest) const;
  void absorb_digests(std::span<const Entry> digests);

  // The tag of everything absorbed so far. More may follow.
  HashTag tag() const;

 private:
  RingTensor key_;  // key of NH, one word for each word of a block; wiped
  std::unique_ptr<crypto_onetimeauth_poly1305_state> state_;
};

}  // namespace tacit::mpc
