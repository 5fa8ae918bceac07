// BitTimesWord — products of one party's bits with the words of the other parties: the primitive from which the parties make
// correlations without a dealer.
//
// A party binds its bits once: for each bit and peer, an oblivious transfer with the peer as its sender. Then the peer's words
// multiply these bits any number of times. The two ends get additive shares of bit·word, and neither learns anything.
//
// Correlated transfers are SoftSpoken's (SoftSpokenOt) or Ferret's (FerretOt), with the bound bits as choices. For a bound bit b, its
// party has t, and the peer has q and q ^ Delta, where t = q ^ b·Delta. For a word w mod 2^k, the peer sends c = H(q) + w -
// H(q ^ Delta) and keeps -H(q); the bit's party takes H(t) + b·c. H is used once for each (bit, use, block): see correlation_hash.h.
//
// With Ferret, bits may be bound in the round of their first products: the peer then does not know d yet, the corrections of the
// transfers' random bits u to the bits b = u ^ d. Its message for one-bit words is the same for both d, and its share follows from d. For
// other words, the ends make shares s of u·w, and with d those of b·w: d·w + (1 - 2d)·s. Both messages are as if they were sent one after
// the other for u: d is as uniform as u, and the words are masked by pads of the transfers (Beaver, Precomputing Oblivious Transfer,
// CRYPTO 1995).
//
// A call sends one message at most to each peer: the corrections that bind bits, then the parts of the factors in the order of the lists,
// words before bits. A part has whole bytes, packed by net/collectives/pack.h; words of more than 64 bits are two packed tensors, the low halves first.
//
// Memory: 16 bytes for each bound bit, peer and direction. After two one-bit uses, also 16 bytes at the end with the bits and 32 at the
// other. All of it is wiped when the Bound is freed.
//
// Secure against n-1 passive parties, under the assumptions of SoftSpokenOt and correlation_hash.h, and with kFerret of ferret.h. Every
// party calls the same functions with the same public arguments. On a plan (PairNetwork), no bits or words are read and results are
// empty.
// Thread: one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/ot/ferret_set.h"
#include "mpc/ot/pair_network.h"
#include "mpc/random/nonce.h"
#include "mpc/ring/bit_tensor.h"

namespace tacit::mpc {

// Which parties have a part, by party. Public.
using Holders = std::vector<bool>;

// The source of transfers. kSoftSpoken: made whenever bits are bound, 32 bits each. kFerret: from a stock, 1 bit each and 0.75 bits to
// stock one up. Ferret assumes learning parity with noise.
enum class TransferSource : unsigned char { kSoftSpoken, kFerret };

class BitTimesWord {
 public:
  // Base transfers with every peer, in both directions. Every party constructs it at the same time. All must outlive it.
  BitTimesWord(PairNetwork& network, const Nonce& nonce, Workers& workers,
               TransferSource source = TransferSource::kSoftSpoken, const FerretSet& set = kFerretSet);
  ~BitTimesWord();

  // Stocks up, so that the next calls of bind() may bind bits of MadeCost::transfers up to this number. 2 rounds for each extension
  // (ferret_ot.h). The same number at all parties. Does nothing with kSoftSpoken.
  void reserve(std::int64_t transfers);

  // Bits of one or several parties, each bound to every peer.
  class Bound;
  struct Bits {
    std::int64_t size = 0;
    Holders holders;
    const BitTensor* own = nullptr;  // this party's bits, if it is a holder
  };
  // 1 round for all. To each peer, a holder sends 32 bits, with kFerret 1 bit, for each bit (to a multiple of 128 bits in a call). With
  // kFerret, bits beyond the stock are an error of the program (BrokenInvariant).
  std::vector<std::shared_ptr<Bound>> bind(std::span<const Bits> bits);
  // The bits that a call of multiply() binds. Before that call has returned, no other call takes these bits. No round.
  std::vector<std::shared_ptr<Bound>> unbound(std::span<const Bits> bits);
  using Unbound = std::span<const std::shared_ptr<Bound>>;

  // The bits of `holder`, or (-1) of every holder, times the words of every other party in `from`.
  struct WordFactor {
    Bound* bits = nullptr;
    int holder = -1;
    Holders from;
    // A row for each bit, row after row: this party's words, if it is in `from`. Of 64 bits each; of width > 64, each is two
    // words, the low one first.
    std::span<const std::uint64_t> words;
    int columns = 1;
    int width = 64;  // of a word and of the result: 1 … 128
  };
  // 1 round for all. To each holder, a party in `from` sends width bits for each word. For each factor, this party's share of the
  // sum of bit_i·word_j over the holders i and all j other than i, in the layout of `words`, reduced mod 2^width.
  std::vector<std::vector<std::uint64_t>> times(std::span<const WordFactor> factors);

  // The same for words of one bit, modulo 2: bit_i AND bit_j.
  struct BitFactor {
    Bound* bits = nullptr;
    int holder = -1;
    Holders from;
    const BitTensor* own = nullptr;  // of the size of the bound bits
  };
  std::vector<BitTensor> times_bits(std::span<const BitFactor> factors);

  // Both kinds in one round, which also binds bits as bind() does. With kSoftSpoken, the bits are bound in a round before if a factor has
  // them.
  struct Products {
    std::vector<std::vector<std::uint64_t>> words;
    std::vector<BitTensor> bits;
  };
  Products multiply(std::span<const WordFactor> words, std::span<const BitFactor> bits, Unbound unbound = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::mpc
