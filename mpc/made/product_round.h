// ProductRound — products of bound bits and other values, collected and then made in one round (BitTimesWord::multiply).
#pragma once

#include <cstdint>
#include <vector>

#include "mpc/made/shared.h"
#include "mpc/ot/pair_network.h"

namespace tacit::mpc {

// The holders that have a part in a product with a party of `others` other than themselves.
Holders crossing(const Holders& holders, const Holders& others);
bool any_of(const Holders& holders);

class ProductRound {
 public:
  ProductRound(const PairNetwork& network, BitTimesWord& products)
      : rank_(static_cast<std::size_t>(network.rank())), products_(products) {}

  // The sum over the holders i in `of` of bit_i · words mod 2^width, width <= words.width. Without the terms of bits and words of
  // one and the same party, unless `own_terms`. These holders' bits are bound, but for holders without other parties' words.
  // The result's number.
  std::size_t add(const SharedBits& bits, const Holders& of, const SharedWords& words, int width, bool own_terms);
  // x AND y; x is bound, but for such holders.
  std::size_t add(const SharedBits& x, const SharedBits& y);

  // No round if no product takes two parties, and no bits are to be bound. The round binds these bits.
  void run(BitTimesWord::Unbound unbound = {});

  // After run(): by number. Each once.
  SharedWords words(std::size_t number);
  SharedBits bits(std::size_t number);

 private:
  struct OfWords {
    SharedBits bits;
    SharedWords words;
    int width;
    bool own_terms;  // true if this party has such a term, too
    Holders holders;
    std::vector<std::size_t> factors;
  };
  struct OfBits {
    SharedBits x, y;
    std::vector<std::size_t> factors;
  };

  bool holds(const Holders& holders) const { return holders[rank_]; }

  const std::size_t rank_;
  BitTimesWord& products_;
  std::vector<OfWords> of_words_;
  std::vector<OfBits> of_bits_;
  std::vector<BitTimesWord::WordFactor> word_factors_;
  std::vector<BitTimesWord::BitFactor> bit_factors_;
  BitTimesWord::Products made_;
};

}  // namespace tacit::mpc
