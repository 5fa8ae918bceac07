#include "mpc/made/engine.h"

#include <algorithm>
#include <utility>

#include "mpc/kernels/bit_slice.h"
#include "mpc/made/adders.h"
#include "mpc/made/party_bits.h"
#include "mpc/made/product_round.h"
#include "mpc/made/word_access.h"

namespace tacit::mpc {

namespace {

// Bits of a party that a step of many products binds at once, if it is made ahead.
constexpr std::int64_t kMostBound = std::int64_t{1} << 16;

std::vector<int> list(const Holders& holders) {
  std::vector<int> parties;
  for (std::size_t i = 0; i < holders.size(); ++i) {
    if (holders[i]) parties.push_back(static_cast<int>(i));
  }
  return parties;
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

Engine::Unbound Engine::unbound(std::span<const Binding> bindings) {
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
  if (missing.empty() || parties() == 1) return {};
  std::vector<BitTimesWord::Bits> bits;
  for (const Binding& one : missing) {
    const bool ours = one.holders[static_cast<std::size_t>(rank())];
    bits.push_back({one.bits.size, one.holders, ours ? one.bits.own.get() : nullptr});
  }
  Unbound unbound = products_.unbound(bits);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    missing[i].bits.bindings->push_back({missing[i].holders, unbound[i]});
  }
  return unbound;
}

void Engine::bind(std::span<const Binding> bindings) { ProductRound(network_, products_).run(unbound(bindings)); }

std::vector<SharedBits> Engine::both(std::span<const std::pair<SharedBits, SharedBits>> pairs,
                                     std::vector<Binding> bindings) {
  for (const auto& [x, y] : pairs) bindings.push_back({x, crossing(x.holders, y.holders)});
  const Unbound missing = unbound(bindings);
  ProductRound round(network_, products_);
  std::vector<SharedBits> made;
  for (const auto& [x, y] : pairs) round.add(x, y);
  round.run(missing);
  for (std::size_t i = 0; i < pairs.size(); ++i) made.push_back(round.bits(i));
  return made;
}

std::vector<Engine::Sum> Engine::add(std::span<const Addition> additions) {
  std::int64_t elements = 0;
  for (const Addition& addition : additions) elements += addition.words.shape.size();
  const bool prefixes = !is_ahead(from_) && elements <= kMostElementsByPrefixes;
  return prefixes ? add_by_prefixes(*this, additions) : add_by_ripples(*this, additions);
}

Engine::Binding Engine::bound_to_widen(const Widening& widening) {
  const auto& [bits, width] = widening;
  Holders later = bits.holders;
  *std::ranges::find(later, true) = false;
  return {bits, width > 1 ? later : Holders(later.size(), false)};
}

std::vector<SharedWords> Engine::widen(std::span<const Widening> widenings, std::vector<Binding> bindings) {
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
  Unbound missing = unbound(bindings);
  // With each further holder's bits b: y + b - 2by.
  for (std::size_t step = 1; step < most || !missing.empty(); ++step) {
    ProductRound round(network_, products_);
    for (std::size_t e = 0; e < widenings.size(); ++e) {
      const auto& [bits, width] = widenings[e];
      if (step >= holders[e].size() || width == 1) continue;
      round.add(bits, only(holders[e][step], parties()), y[e], width - 1, true);
    }
    round.run(std::exchange(missing, {}));
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

std::vector<SharedWords> Engine::times(std::span<const Selection> selections, std::vector<Binding> bindings) {
  std::vector<std::vector<int>> holders;
  std::vector<SharedWords> y, total;
  std::size_t most = 0;
  for (const auto& [bits, words] : selections) {
    bindings.push_back({bits, bits.holders});
    holders.push_back(list(bits.holders));
    most = std::max(most, holders.back().size());
    y.push_back(words);
  }
  Unbound missing = unbound(bindings);
  total.resize(selections.size());
  // For each holder's bits b: by is a part of the result, and the next y is (1 - 2b)y.
  for (std::size_t step = 0; step < most || !missing.empty(); ++step) {
    ProductRound round(network_, products_);
    for (std::size_t e = 0; e < selections.size(); ++e) {
      if (step >= holders[e].size()) continue;
      round.add(selections[e].bits, only(holders[e][step], parties()), y[e], y[e].width, true);
    }
    round.run(std::exchange(missing, {}));
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
  std::vector<SharedWords> made;
  std::int64_t rows = 1;
  std::size_t longest = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto& [x, y] = products[p];
    TACIT_CHECK(x.columns == 1 && x.rows == y.rows);
    const int k = std::min(x.width, y.width);
    TACIT_CHECK(k <= kWordBits);
    std::vector<std::shared_ptr<const BitTensor>> own(static_cast<std::size_t>(k));
    if (x.own != nullptr) own = planes_of(row_of(*narrowed(x, k).own, k), k, workers_);
    for (std::shared_ptr<const BitTensor>& plane : own) planes[p].push_back({x.rows, x.holders, std::move(plane)});
    SharedWords& total = made.emplace_back(SharedWords{y.rows, y.columns, k, either(x.holders, y.holders), nullptr});
    if (x.own != nullptr && y.own != nullptr) {
      const SharedWords a = narrowed(x, k), b = narrowed(y, k);
      total.own = words_of<std::uint64_t>(total.size(), k, [&](std::int64_t i) {
        return (*a.own)[static_cast<std::size_t>(i / b.columns)] * (*b.own)[static_cast<std::size_t>(i)];
      });
    }
    rows += x.rows;
    longest = std::max(longest, planes[p].size());
  }
  const std::size_t at_once =
      is_ahead(from_) ? static_cast<std::size_t>(std::max<std::int64_t>(1, kMostBound / rows)) : longest;
  for (std::size_t begin = 0; begin < longest; begin += at_once) {
    add_planes(products, planes, begin, std::min(begin + at_once, longest), made);
  }
  return made;
}

// The planes [begin, end) of each x times its y. The planes are freed.
void Engine::add_planes(std::span<const Product> products, std::span<std::vector<SharedBits>> planes, std::size_t begin,
                        std::size_t end, std::span<SharedWords> sums) {
  std::vector<Binding> bindings;
  for (std::size_t p = 0; p < products.size(); ++p) {
    for (std::size_t b = begin; b < std::min(end, planes[p].size()); ++b) {
      bindings.push_back({planes[p][b], crossing(planes[p][b].holders, products[p].y.holders)});
    }
  }
  const Unbound missing = unbound(bindings);
  ProductRound round(network_, products_);
  for (std::size_t p = 0; p < products.size(); ++p) {
    for (std::size_t b = begin; b < std::min(end, planes[p].size()); ++b) {
      const SharedBits& plane = planes[p][b];
      round.add(plane, plane.holders, products[p].y, static_cast<int>(planes[p].size() - b), false);
    }
  }
  round.run(missing);
  std::size_t number = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    for (std::size_t b = begin; b < std::min(end, planes[p].size()); ++b) {
      sums[p] = sum(sums[p], shifted(round.words(number++), static_cast<int>(b)));
      planes[p][b] = {};
    }
  }
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
  for (std::size_t step = 0; step < most; ++step) {
    std::vector<Selection> selections;
    for (std::size_t e = 0; e < choices.size(); ++e) {
      if (step < choices[e].bits.size()) selections.push_back({choices[e].bits[step], y[e]});
    }
    const std::vector<SharedWords> ones = times(selections, std::exchange(bindings, {}));
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
