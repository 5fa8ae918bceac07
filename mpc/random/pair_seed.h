// PairSeed is the randomness that two ranks share in one session: any number of named streams. Each stream is drawn
// once.
//
// A stream is AES-128 in counter mode, under a key that BLAKE2b makes of the seed (keying material of the link between
// the two), the session's nonce, and the stream's name. Both ends draw the same names. A second use of a name would
// use a mask twice: this is a bug (BrokenInvariant), caught before the first byte of the stream is made. The counter
// can start anywhere, so the workers make a long stream in pieces; the bytes are the same for any number of threads.
// Thread: one at a time, the thread that may use the workers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mpc/kernels/aes_words.h"
#include "mpc/kernels/workers.h"
#include "mpc/random/nonce.h"
#include "mpc/random/permutation.h"
#include "mpc/ring/bit_tensor.h"
#include "mpc/ring/ring_tensor.h"
#include "net/channel.h"

namespace tacit::mpc {

// The purpose of a stream.
enum class Draw : unsigned char {
  kInput = 1,    // a party's share of another party's input
  kMask = 2,     // lambda, r, mu: a party's share of a mask
  kDealt = 3,    // a party's share of dealt values
  kZero = 4,     // shares of zero, before a reveal
  kOrder = 5,    // an order of rows that one party and the dealer know
  kOwn = 6,      // a rank's draws for its own use
  kHashKey = 7,  // keys of the pair's transcript hash
};

struct StreamName {
  std::int64_t operation = 0;  // the session's count; never falls
  Draw draw = Draw::kInput;
  int index = 0;  // within the operation
  // If set: a tag of the values that both ends have seen. If the ends saw different values, their streams differ.
  std::optional<std::array<std::byte, 16>> seen = {};
};

class PairSeed {
 public:
  static constexpr std::int64_t kSeedBytes = 32;

  // The seed of the link to this peer. Both ends make one, with the same nonce.
  // The workers, if there are any, must outlive it.
  PairSeed(const net::Channel& channel, const Nonce& nonce, Workers* workers = nullptr);
  PairSeed(net::Secret seed, const Nonce& nonce, Workers* workers = nullptr);
  // The seed of one rank alone, from the operating system's generator.
  static PairSeed own(const Nonce& nonce, Workers* workers = nullptr);
  PairSeed();  // no seed: do not draw from it
  ~PairSeed();
  PairSeed(PairSeed&&) noexcept;

  // Uniform words of Z_2^k, uniform bits.
  void fill(const StreamName& name, RingTensor& words);
  void fill(const StreamName& name, BitTensor& bits) { fill(name, std::span(&bits, 1)); }
  void fill(const StreamName& name, std::span<BitTensor> bits);  // equal shapes, one after the other

  // words += stream, words -= stream, bits ^= stream: without a tensor in between.
  void add(const StreamName& name, RingTensor& words);
  void subtract(const StreamName& name, RingTensor& words);
  // The same for words of Z_2^64 that are no tensor of this layer: one row.
  void add(const StreamName& name, std::span<std::uint64_t> words);
  void subtract(const StreamName& name, std::span<std::uint64_t> words);
  // words = stream, and sum = x + constant + stream in the sum's ring, while the words are in the cache.
  void fill_and_add(const StreamName& name, RingTensor& words, const RingTensor& x, std::uint64_t constant,
                    RingTensor& sum);
  void flip(const StreamName& name, BitTensor& bits) { flip(name, std::span(&bits, 1)); }
  void flip(const StreamName& name, std::span<BitTensor> bits);

  // A uniform permutation, from one stream.
  Permutation order(const StreamName& name, std::int64_t count);

 private:
  class Start;
  class Cipher;
  void begin(const StreamName& name, Shape shape, int bits, Start& stream);
  template <typename Use>
  void draw(const StreamName& name, Shape shape, int bits, std::int64_t words, const Use& use);
  void draw(const StreamName& name, Shape shape, int bits, Combine how, std::span<std::uint64_t> words);
  void draw(const StreamName& name, Combine how, std::span<BitTensor> bits);

  net::Secret key_;
  Nonce nonce_{};
  Workers* workers_ = nullptr;                    // none: one thread
  std::vector<std::unique_ptr<Cipher>> ciphers_;  // one for each piece of a stream
  std::int64_t operation_ = -1;
  std::vector<unsigned char> used_;  // in this operation: by index, a bit for each kind of draw
};

}  // namespace tacit::mpc
