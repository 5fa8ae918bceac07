#include "mpc/made/engine.h"

#include <algorithm>

#include "mpc/kernels/bit_slice.h"
#include "mpc/made/product_round.h"
#include "mpc/made/word_access.h"

namespace tacit::mpc {

namespace {

std::vector<int> list(const Holders& holders) {
  std::vector<int> parties;
  for (std::size_t i = 0; i < holders.size(); ++i) {
    if (holders[i]) parties.push_back(static_cast<int>(i));
  }
  return parties;
}

// The planes of this party's words, low to high. Null on a plan.
std::vector<std::shared_ptr<const BitTensor>> planes_of(RingTensor words, int count, Workers& workers) {
  std::vector<BitTensor> planes = BitTensor::several(words.shape(), count);
  bit_planes(words, 0, planes, workers);
  std::vector<std::shared_ptr<const BitTensor>> out;
  for (BitTensor& plane : planes) out.push_back(std::make_shared<const BitTensor>(std::move(plane)));
  return out;
}

RingTensor row_of(RingView view) {
  RingTensor row({1, view.shape.size()}, kWordBits);
  std::uint64_t* to = row.data();
  for (std::int64_t r = 0; r < view.shape.rows; ++r) {
    for (std::int64_t c = 0; c < view.shape.cols; ++c) *to++ = view.at(r, c);
  }
  return row;
}

RingTensor row_of(const OwnWords& words, int width) {
  RingTensor row({1, std::ssize(words)}, width);
  std::ranges::copy(words, row.data());
  return row;
}

// The bits of one holder as its words.
SharedWords words_of_holder(const SharedBits& bits, int holder, int rank, int width, Workers& workers) {
  const auto parties = static_cast<int>(bits.holders.size());
  SharedWords out{bits.size, 1, width, only(holder, parties), nullptr};
  if (rank != holder || bits.own == nullptr) return out;
  RingTensor words({1, bits.size}, 1);
  tacit::mpc::widen(*bits.own, words, workers);
  with_word(width, [&](auto word) {
    using Word = decltype(word);
    out.own = words_of<Word>(out.size(), width, [&](std::int64_t i) { return static_cast<Word>(words.data()[i]); });
  });
  return out;
}

// For each of the blocks of `each` columns: the block of `a`, then that of `b`.
SharedWords interleaved(const SharedWords& a, const SharedWords& b, std::int64_t each) {
  std::vector<SharedWords> blocks;
  for (std::int64_t begin = 0; begin < a.columns; begin += each) {
    blocks.push_back(columns_of(a, begin, each));
    blocks.push_back(columns_of(b, begin, each));
  }
  return beside(blocks);
}

// A running sum of all parties' words, bit by bit.
class RippleAdder {
 public:
  RippleAdder(const Engine::Addition& addition, Engine& engine)
      : length_(addition.length), last_(addition.length - (addition.carries ? 0 : 1)), carries_(addition.carries) {
    const int parties = engine.parties();
    std::vector<std::shared_ptr<const BitTensor>> own(static_cast<std::size_t>(length_));
    if (!engine.planned()) own = planes_of(row_of(addition.words), length_, engine.workers());
    for (int j = 0; j < length_; ++j) {
      std::vector<SharedBits>& of_parties = inputs_.emplace_back();
      for (int party = 0; party < parties; ++party) {
        of_parties.push_back({addition.words.shape.size(), only(party, parties),
                              party == engine.rank() ? own[static_cast<std::size_t>(j)] : nullptr});
      }
    }
    carry_.resize(static_cast<std::size_t>(parties - 1));
  }

  // Bits of single parties that the positions below bind. The first sum is party 0's word.
  void inputs(std::vector<Engine::Binding>& bindings) const {
    for (int j = 0; j < last_; ++j) {
      const std::vector<SharedBits>& of_parties = inputs_[static_cast<std::size_t>(j)];
      for (std::size_t party = j == 0 ? 1 : 0; party < of_parties.size(); ++party) {
        bindings.push_back({of_parties[party], of_parties[party].holders});
      }
    }
  }

  // Adds bit j of every word to the sum, and asks for the carries: for each party r after the first, and the sum s of the words
  // before it, r(s ^ carry) ^ s·carry.
  void begin(int j, std::vector<std::pair<SharedBits, SharedBits>>& pairs) {
    if (j >= length_) return;
    const std::vector<SharedBits>& of_parties = inputs_[static_cast<std::size_t>(j)];
    SharedBits s = of_parties.front();
    for (std::size_t t = 1; t < of_parties.size(); ++t) {
      const SharedBits& r = of_parties[t];
      const bool carried = j > 0;
      const SharedBits with_carry = carried ? exclusive_or(s, carry_[t - 1]) : s;
      if (j < last_) {
        pairs.emplace_back(r, with_carry);
        if (carried) pairs.emplace_back(s, carry_[t - 1]);
      }
      s = exclusive_or(with_carry, r);
    }
    sum_.bits.push_back(s);
  }

  // Takes the products that it asked for.
  void end(int j, std::vector<SharedBits>::const_iterator& products) {
    if (j >= last_) return;
    for (SharedBits& carry : carry_) {
      carry = *products++;
      if (j > 0) carry = exclusive_or(carry, *products++);
    }
  }

  Engine::Sum take() {
    if (carries_) sum_.carries = std::move(carry_);
    return std::move(sum_);
  }

 private:
  const int length_, last_;  // positions; positions with a carry
  const bool carries_;
  std::vector<std::vector<SharedBits>> inputs_;  // by position and party
  std::vector<SharedBits> carry_;                // by party after the first, into the next position
  Engine::Sum sum_;
};

}  // namespace

SharedWords Engine::shared(RingView own, std::int64_t columns, int width) const {
  TACIT_CHECK(columns > 0 && own.shape.size() % columns == 0 && width <= kWordBits);
  SharedWords out{own.shape.size() / columns, columns, width, all_of(parties()), nullptr};
  if (planned()) return out;
  auto words = std::make_shared<OwnWords>();
  words->reserve(static_cast<std::size_t>(out.size()));
  for (std::int64_t row = 0; row < own.shape.rows; ++row) {
    for (std::int64_t col = 0; col < own.shape.cols; ++col) words->push_back(own.at(row, col) & low_bits(width));
  }
  out.own = std::move(words);
  return out;
}

SharedBits Engine::shared(const BitTensor& own) const {
  SharedBits out{own.size(), all_of(parties()), nullptr};
  if (planned()) return out;
  auto bits = std::make_shared<BitTensor>(Shape{1, own.size()});
  std::ranges::copy(own.words(), bits->words().begin());
  out.own = std::move(bits);
  return out;
}

SharedWords Engine::constant(DoubleWord value, std::int64_t rows, std::int64_t columns, int width) const {
  SharedWords out{rows, columns, width, only(0, parties()), nullptr};
  if (rank() != 0 || planned()) return out;
  with_word(width, [&](auto word) {
    using Word = decltype(word);
    out.own = words_of<Word>(out.size(), width, [&](std::int64_t) { return static_cast<Word>(value); });
  });
  return out;
}

void Engine::bind(std::span<const Binding> bindings) {
  std::vector<Binding> missing;
  for (const Binding& one : bindings) {
    Holders holders = one.holders;
    for (std::size_t i = 0; i < holders.size(); ++i) holders[i] = holders[i] && one.bits.holders[i];
    for (const SharedBits::Binding& done : *one.bits.bindings) {
      for (std::size_t i = 0; i < holders.size(); ++i) holders[i] = holders[i] && !done.holders[i];
    }
    const auto same =
        std::ranges::find_if(missing, [&](const Binding& other) { return other.bits.bindings == one.bits.bindings; });
    if (same != missing.end()) {
      same->holders = either(same->holders, holders);
    } else if (any_of(holders)) {
      missing.push_back({one.bits, holders});
    }
  }
  if (missing.empty() || parties() == 1) return;
  std::vector<BitTimesWord::Bits> bits;
  for (const Binding& one : missing) {
    const bool ours = one.holders[static_cast<std::size_t>(rank())];
    bits.push_back({one.bits.size, one.holders, ours ? one.bits.own.get() : nullptr});
  }
  std::vector<std::shared_ptr<BitTimesWord::Bound>> bound = products_.bind(bits);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    missing[i].bits.bindings->push_back({missing[i].holders, std::move(bound[i])});
  }
}

std::vector<SharedBits> Engine::both(std::span<const std::pair<SharedBits, SharedBits>> pairs) {
  std::vector<Binding> bindings;
  for (const auto& [x, y] : pairs) bindings.push_back({x, crossing(x.holders, y.holders)});
  bind(bindings);
  ProductRound round(network_, products_);
  std::vector<SharedBits> made;
  for (const auto& [x, y] : pairs) round.add(x, y);
  round.run();
  for (std::size_t i = 0; i < pairs.size(); ++i) made.push_back(round.bits(i));
  return made;
}

std::vector<Engine::Sum> Engine::add(std::span<const Addition> additions) {
  std::vector<RippleAdder> adders;
  std::vector<Binding> bindings;
  int longest = 0;
  for (const Addition& addition : additions) {
    adders.emplace_back(addition, *this);
    adders.back().inputs(bindings);
    longest = std::max(longest, addition.length);
  }
  bind(bindings);
  for (int j = 0; j < longest; ++j) {
    std::vector<std::pair<SharedBits, SharedBits>> pairs;
    for (RippleAdder& adder : adders) adder.begin(j, pairs);
    const std::vector<SharedBits> products = both(pairs);
    auto next = products.begin();
    for (RippleAdder& adder : adders) adder.end(j, next);
  }
  std::vector<Sum> sums;
  for (RippleAdder& adder : adders) sums.push_back(adder.take());
  return sums;
}

Engine::Binding Engine::bound_to_widen(const Widening& widening) {
  const auto& [bits, width] = widening;
  Holders later = bits.holders;
  *std::ranges::find(later, true) = false;
  return {bits, width > 1 ? later : Holders(later.size(), false)};
}

std::vector<SharedWords> Engine::widen(std::span<const Widening> widenings) {
  std::vector<Binding> bindings;
  std::vector<std::vector<int>> holders;
  std::vector<SharedWords> y;
  std::size_t most = 0;
  for (const auto& [bits, width] : widenings) {
    holders.push_back(list(bits.holders));
    const int first = holders.back().front();
    y.push_back(words_of_holder(bits, first, rank(), width, workers_));
    most = std::max(most, holders.back().size());
    bindings.push_back(bound_to_widen({bits, width}));
  }
  bind(bindings);
  // With each further holder's bits b: y + b - 2by.
  for (std::size_t step = 1; step < most; ++step) {
    ProductRound round(network_, products_);
    for (std::size_t e = 0; e < widenings.size(); ++e) {
      const auto& [bits, width] = widenings[e];
      if (step >= holders[e].size() || width == 1) continue;
      round.add(bits, only(holders[e][step], parties()), y[e], width - 1, true);
    }
    round.run();
    std::size_t number = 0;
    for (std::size_t e = 0; e < widenings.size(); ++e) {
      const auto& [bits, width] = widenings[e];
      if (step >= holders[e].size()) continue;
      y[e] = sum(y[e], words_of_holder(bits, holders[e][step], rank(), width, workers_));
      if (width > 1) y[e] = difference(y[e], shifted(round.words(number++), 1));
    }
  }
  return y;
}

std::vector<SharedWords> Engine::times(std::span<const Selection> selections) {
  std::vector<Binding> bindings;
  std::vector<std::vector<int>> holders;
  std::vector<SharedWords> y, total;
  std::size_t most = 0;
  for (const auto& [bits, words] : selections) {
    bindings.push_back({bits, bits.holders});
    holders.push_back(list(bits.holders));
    most = std::max(most, holders.back().size());
    y.push_back(words);
  }
  bind(bindings);
  total.resize(selections.size());
  // For each holder's bits b: by is a part of the result, and the next y is (1 - 2b)y.
  for (std::size_t step = 0; step < most; ++step) {
    ProductRound round(network_, products_);
    for (std::size_t e = 0; e < selections.size(); ++e) {
      if (step >= holders[e].size()) continue;
      round.add(selections[e].bits, only(holders[e][step], parties()), y[e], y[e].width, true);
    }
    round.run();
    std::size_t number = 0;
    for (std::size_t e = 0; e < selections.size(); ++e) {
      if (step >= holders[e].size()) continue;
      const SharedWords part = round.words(number++);
      total[e] = step == 0 ? part : sum(total[e], part);
      if (step + 1 < holders[e].size()) y[e] = difference(y[e], scaled(part, 2));
    }
  }
  return total;
}

std::vector<SharedWords> Engine::products(std::span<const Product> products) {
  std::vector<std::vector<SharedBits>> planes(products.size());  // of each x: every party's own bits
  std::vector<Binding> bindings;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto& [x, y] = products[p];
    TACIT_CHECK(x.columns == 1 && x.rows == y.rows);
    const int k = std::min(x.width, y.width);
    TACIT_CHECK(k <= kWordBits);
    std::vector<std::shared_ptr<const BitTensor>> own(static_cast<std::size_t>(k));
    if (x.own != nullptr) own = planes_of(row_of(*narrowed(x, k).own, k), k, workers_);
    for (std::shared_ptr<const BitTensor>& plane : own) {
      planes[p].push_back({x.rows, x.holders, std::move(plane)});
      bindings.push_back({planes[p].back(), crossing(x.holders, y.holders)});
    }
  }
  bind(bindings);
  ProductRound round(network_, products_);
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto k = static_cast<int>(planes[p].size());
    for (int b = 0; b < k; ++b) {
      const SharedBits& plane = planes[p][static_cast<std::size_t>(b)];
      round.add(plane, plane.holders, products[p].y, k - b, false);
    }
  }
  round.run();
  std::vector<SharedWords> made;
  std::size_t number = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto& [x, y] = products[p];
    const auto k = static_cast<int>(planes[p].size());
    SharedWords total{y.rows, y.columns, k, either(x.holders, y.holders), nullptr};
    if (x.own != nullptr && y.own != nullptr) {
      const SharedWords a = narrowed(x, k), b = narrowed(y, k);
      total.own = words_of<std::uint64_t>(total.size(), k, [&](std::int64_t i) {
        return (*a.own)[static_cast<std::size_t>(i / y.columns)] * (*b.own)[static_cast<std::size_t>(i)];
      });
    }
    for (int b = 0; b < k; ++b) total = sum(total, shifted(round.words(number++), b));
    made.push_back(std::move(total));
  }
  return made;
}

std::vector<SharedWords> Engine::unary(std::span<const Choice> choices) {
  std::vector<Binding> bindings;
  std::vector<SharedWords> y;
  std::size_t most = 0;
  for (const auto& [bits, words] : choices) {
    for (const SharedBits& one : bits) bindings.push_back({one, one.holders});
    most = std::max(most, bits.size());
    y.push_back(words);
  }
  bind(bindings);
  for (std::size_t step = 0; step < most; ++step) {
    std::vector<Selection> selections;
    for (std::size_t e = 0; e < choices.size(); ++e) {
      if (step < choices[e].bits.size()) selections.push_back({choices[e].bits[step], y[e]});
    }
    const std::vector<SharedWords> ones = times(selections);
    auto one = ones.begin();
    for (std::size_t e = 0; e < choices.size(); ++e) {
      if (step < choices[e].bits.size()) {
        y[e] = interleaved(difference(y[e], *one), *one, choices[e].words.columns);
        ++one;
      }
    }
  }
  return y;
}

}  // namespace tacit::mpc
