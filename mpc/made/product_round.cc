#include "mpc/made/product_round.h"

#include <algorithm>

#include "mpc/made/word_access.h"

namespace tacit::mpc {

namespace {

// The bound bits of the holders in `of`, with the number of one holder, or -1 for all of a binding. Each that meets other parties.
template <typename Use>
void for_each_bound(const SharedBits& bits, const Holders& of, const Holders& others, const Use& use) {
  Holders missing = crossing(of, others);
  for (const SharedBits::Binding& binding : *bits.bindings) {
    Holders taken = binding.holders;
    bool whole = true;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      whole = whole && (!taken[i] || of[i]);
      taken[i] = taken[i] && missing[i];
      missing[i] = missing[i] && !taken[i];
    }
    if (!any_of(taken)) continue;
    if (whole) {
      use(binding.bound.get(), -1);
      continue;
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (taken[i]) use(binding.bound.get(), static_cast<int>(i));
    }
  }
  TACIT_CHECK(!any_of(missing));
}

// words[i] += bit i · from[i's row]
template <typename Word>
void add_where(const BitTensor& bits, const OwnWords& from, std::int64_t columns, OwnWords& words) {
  for (std::int64_t row = 0; row < bits.size(); ++row) {
    const Word all = Word{0} - static_cast<Word>(bits.at(row));
    for (std::int64_t i = row * columns; i < (row + 1) * columns; ++i) {
      store<Word>(load<Word>(words.data(), i) + (all & load<Word>(from.data(), i)), words.data(), i);
    }
  }
}

template <typename Word>
void add_all(const OwnWords& from, OwnWords& words) {
  constexpr std::int64_t kLimbs = sizeof(Word) / sizeof(std::uint64_t);
  for (std::int64_t i = 0; i < std::ssize(words) / kLimbs; ++i) {
    store<Word>(load<Word>(words.data(), i) + load<Word>(from.data(), i), words.data(), i);
  }
}

template <typename Word>
void reduce(OwnWords& words, int width) {
  constexpr std::int64_t kLimbs = sizeof(Word) / sizeof(std::uint64_t);
  for (std::int64_t i = 0; i < std::ssize(words) / kLimbs; ++i) {
    store<Word>(load<Word>(words.data(), i) & low_mask<Word>(width), words.data(), i);
  }
}

void flip(const BitTensor& by, BitTensor& bits) {
  for (std::size_t w = 0; w < bits.words().size(); ++w) bits.words()[w] ^= by.words()[w];
}

}  // namespace

Holders crossing(const Holders& holders, const Holders& others) {
  Holders out = holders;
  for (std::size_t i = 0; i < out.size(); ++i) {
    bool meets = false;
    for (std::size_t j = 0; j < others.size(); ++j) meets = meets || (j != i && others[j]);
    out[i] = out[i] && meets;
  }
  return out;
}

bool any_of(const Holders& holders) { return std::find(holders.begin(), holders.end(), true) != holders.end(); }

std::size_t ProductRound::add(const SharedBits& bits, const Holders& of, const SharedWords& words, int width,
                              bool own_terms) {
  TACIT_CHECK(bits.size == words.rows && width >= 1 && width <= words.width);
  // Words that are a little too wide need no copy.
  const SharedWords from = limbs(width) == limbs(words.width) ? words : narrowed(words, width);
  OfWords one{bits, from, width, own_terms && holds(of) && holds(words.holders), either(of, words.holders), {}};
  for_each_bound(bits, of, words.holders, [&](BitTimesWord::Bound* bound, int holder) {
    one.factors.push_back(word_factors_.size());
    BitTimesWord::WordFactor factor{bound, holder, words.holders, {}, static_cast<int>(words.columns), width};
    if (from.own != nullptr) factor.words = *from.own;
    word_factors_.push_back(std::move(factor));
  });
  of_words_.push_back(std::move(one));
  return of_words_.size() - 1;
}

std::size_t ProductRound::add(const SharedBits& x, const SharedBits& y) {
  TACIT_CHECK(x.size == y.size);
  OfBits one{x, y, {}};
  for_each_bound(x, x.holders, y.holders, [&](BitTimesWord::Bound* bound, int holder) {
    one.factors.push_back(bit_factors_.size());
    bit_factors_.push_back({bound, holder, y.holders, y.own.get()});
  });
  of_bits_.push_back(std::move(one));
  return of_bits_.size() - 1;
}

void ProductRound::run(BitTimesWord::Unbound unbound) {
  if (word_factors_.empty() && bit_factors_.empty() && unbound.empty()) return;
  made_ = products_.multiply(word_factors_, bit_factors_, unbound);
}

SharedWords ProductRound::words(std::size_t number) {
  OfWords& one = of_words_[number];
  SharedWords out{one.words.rows, one.words.columns, one.width, one.holders, nullptr};
  if (!holds(one.holders)) return out;
  OwnWords own;
  for (const std::size_t factor : one.factors) {
    std::vector<std::uint64_t>& part = made_.words[factor];
    if (own.empty()) {
      own = std::move(part);
    } else if (!part.empty()) {
      with_word(one.width, [&](auto word) { add_all<decltype(word)>(part, own); });
    }
  }
  const bool own_term = one.own_terms && one.bits.own != nullptr && one.words.own != nullptr;
  if (own.empty() && !own_term) {
    // A holder without a term of its own and without peers has zeros; on a plan, nothing.
    if (one.bits.own != nullptr || one.words.own != nullptr) {
      out.own = std::make_shared<OwnWords>(static_cast<std::size_t>(out.size() * limbs(one.width)));
    }
    return out;
  }
  own.resize(static_cast<std::size_t>(out.size() * limbs(one.width)));
  with_word(one.width, [&](auto word) {
    using Word = decltype(word);
    if (own_term) add_where<Word>(*one.bits.own, *one.words.own, out.columns, own);
    reduce<Word>(own, one.width);
  });
  out.own = std::make_shared<OwnWords>(std::move(own));
  return out;
}

SharedBits ProductRound::bits(std::size_t number) {
  const OfBits& one = of_bits_[number];
  SharedBits out{one.x.size, either(one.x.holders, one.y.holders), nullptr};
  if (one.x.own == nullptr && one.y.own == nullptr) return out;
  auto own = std::make_shared<BitTensor>(BitTensor::zeros({1, one.x.size}));
  for (const std::size_t factor : one.factors) {
    const BitTensor& part = made_.bits[factor];
    if (part.size() > 0) flip(part, *own);
  }
  if (one.x.own != nullptr && one.y.own != nullptr) {
    for (std::size_t w = 0; w < own->words().size(); ++w)
      own->words()[w] ^= one.x.own->words()[w] & one.y.own->words()[w];
  }
  out.own = std::move(own);
  return out;
}

}  // namespace tacit::mpc
