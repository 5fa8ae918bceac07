#include "mpc/made/shared.h"

#include <algorithm>

#include "mpc/made/word_access.h"

namespace tacit::mpc {

namespace {

// Word i is value(i) of the operands' words, with `a` and `b` as numbers of the type of `width`. Of an operand without contents,
// each word counts as 0; null if both are without.
template <typename Value>
SharedWords combined(const SharedWords& a, const SharedWords& b, const Value& value) {
  TACIT_CHECK(a.rows == b.rows && a.columns == b.columns);
  const int width = std::min(a.width, b.width);
  SharedWords out{a.rows, a.columns, width, either(a.holders, b.holders), nullptr};
  const SharedWords left = narrowed(a, width), right = narrowed(b, width);
  if (left.own == nullptr && right.own == nullptr) return out;
  with_word(width, [&](auto word) {
    using Word = decltype(word);
    const auto at = [](const std::shared_ptr<const OwnWords>& own, std::int64_t i) {
      return own == nullptr ? Word{0} : load<Word>(own->data(), i);
    };
    out.own =
        words_of<Word>(out.size(), width, [&](std::int64_t i) { return value(at(left.own, i), at(right.own, i)); });
  });
  return out;
}

// Word i of `out` is word source(i) of a.
template <typename Source>
void gather(const SharedWords& a, SharedWords& out, const Source& source) {
  if (a.own == nullptr) return;
  with_word(a.width, [&](auto word) {
    using Word = decltype(word);
    out.own =
        words_of<Word>(out.size(), out.width, [&](std::int64_t i) { return load<Word>(a.own->data(), source(i)); });
  });
}

}  // namespace

Holders only(int party, int parties) {
  Holders holders(static_cast<std::size_t>(parties), false);
  holders[static_cast<std::size_t>(party)] = true;
  return holders;
}

Holders either(const Holders& a, const Holders& b) {
  TACIT_CHECK(a.size() == b.size());
  Holders both = a;
  for (std::size_t i = 0; i < b.size(); ++i) both[i] = both[i] || b[i];
  return both;
}

SharedBits exclusive_or(const SharedBits& a, const SharedBits& b) {
  TACIT_CHECK(a.size == b.size);
  SharedBits out{a.size, either(a.holders, b.holders), nullptr};
  if (a.own == nullptr || b.own == nullptr) {
    out.own = a.own == nullptr ? b.own : a.own;
    return out;
  }
  auto bits = std::make_shared<BitTensor>(*a.own);
  const std::span<const std::uint64_t> other = b.own->words();
  for (std::size_t w = 0; w < other.size(); ++w) bits->words()[w] ^= other[w];
  out.own = std::move(bits);
  return out;
}

SharedWords sum(const SharedWords& a, const SharedWords& b) {
  return combined(a, b, [](auto x, auto y) { return x + y; });
}

SharedWords difference(const SharedWords& a, const SharedWords& b) {
  return combined(a, b, [](auto x, auto y) { return x - y; });
}

SharedWords scaled(const SharedWords& a, DoubleWord factor) {
  SharedWords out{a.rows, a.columns, a.width, a.holders, nullptr};
  if (a.own == nullptr) return out;
  with_word(a.width, [&](auto word) {
    using Word = decltype(word);
    out.own = words_of<Word>(out.size(), a.width,
                             [&](std::int64_t i) { return load<Word>(a.own->data(), i) * static_cast<Word>(factor); });
  });
  return out;
}

SharedWords narrowed(const SharedWords& a, int width) {
  TACIT_CHECK(width >= 1 && width <= a.width);
  if (width == a.width) return a;
  SharedWords out{a.rows, a.columns, width, a.holders, nullptr};
  if (a.own == nullptr) return out;
  with_word(a.width, [&](auto word) {
    using From = decltype(word);
    with_word(width, [&](auto narrow) {
      using To = decltype(narrow);
      out.own = words_of<To>(out.size(), width,
                             [&](std::int64_t i) { return static_cast<To>(load<From>(a.own->data(), i)); });
    });
  });
  return out;
}

SharedWords shifted(const SharedWords& a, int bits) {
  TACIT_CHECK(bits >= 0);
  if (bits == 0) return a;
  SharedWords out{a.rows, a.columns, a.width + bits, a.holders, nullptr};
  if (a.own == nullptr) return out;
  with_word(a.width, [&](auto word) {
    using From = decltype(word);
    with_word(out.width, [&](auto wide) {
      using To = decltype(wide);
      out.own = words_of<To>(out.size(), out.width,
                             [&](std::int64_t i) { return static_cast<To>(load<From>(a.own->data(), i)) << bits; });
    });
  });
  return out;
}

SharedWords dropped(const SharedWords& a, int bits) {
  TACIT_CHECK(bits >= 0 && bits < a.width);
  if (bits == 0) return a;
  SharedWords out{a.rows, a.columns, a.width - bits, a.holders, nullptr};
  if (a.own == nullptr) return out;
  with_word(a.width, [&](auto word) {
    using From = decltype(word);
    const From mask = low_mask<From>(a.width), half = From{1} << (bits - 1);
    with_word(out.width, [&](auto narrow) {
      using To = decltype(narrow);
      out.own = words_of<To>(out.size(), out.width, [&](std::int64_t i) {
        return static_cast<To>(((load<From>(a.own->data(), i) + half) & mask) >> bits);
      });
    });
  });
  return out;
}

SharedWords beside(std::span<const SharedWords> words) {
  SharedWords out = words.front();
  out.columns = 0;
  out.own = nullptr;
  bool contents = false;
  for (const SharedWords& one : words) {
    TACIT_CHECK(one.rows == out.rows && one.width == out.width);
    out.columns += one.columns;
    out.holders = either(out.holders, one.holders);
    contents = contents || one.own != nullptr;
  }
  if (!contents) return out;
  const auto each = static_cast<std::int64_t>(limbs(out.width));
  auto all = std::make_shared<OwnWords>(static_cast<std::size_t>(out.size() * each));
  std::int64_t begin = 0;
  for (const SharedWords& one : words) {
    const std::int64_t count = one.columns * each;
    for (std::int64_t row = 0; row < out.rows && one.own != nullptr; ++row) {
      std::copy_n(one.own->data() + row * count, count, all->data() + row * out.columns * each + begin);
    }
    begin += count;
  }
  out.own = std::move(all);
  return out;
}

SharedWords columns_of(const SharedWords& a, std::int64_t begin, std::int64_t count) {
  TACIT_CHECK(begin >= 0 && count > 0 && begin + count <= a.columns);
  SharedWords out{a.rows, count, a.width, a.holders, nullptr};
  gather(a, out, [&](std::int64_t i) { return i / count * a.columns + begin + i % count; });
  return out;
}

SharedWords sums_of_rows(const SharedWords& a, std::int64_t each) {
  TACIT_CHECK(each > 0 && a.rows % each == 0);
  SharedWords out{a.rows / each, a.columns, a.width, a.holders, nullptr};
  if (a.own == nullptr) return out;
  with_word(a.width, [&](auto word) {
    using Word = decltype(word);
    out.own = words_of<Word>(out.size(), a.width, [&](std::int64_t i) {
      const std::int64_t first = i / a.columns * each * a.columns + i % a.columns;
      Word total = 0;
      for (std::int64_t row = 0; row < each; ++row) total += load<Word>(a.own->data(), first + row * a.columns);
      return total;
    });
  });
  return out;
}

RingTensor tensor_of(const SharedWords& words, Shape shape) {
  TACIT_CHECK(words.size() == shape.size());
  RingTensor out = RingTensor::zeros(shape, words.width);
  if (words.own != nullptr) std::ranges::copy(*words.own, out.data());
  return out;
}

BitTensor tensor_of(const SharedBits& bits, Shape shape) {
  TACIT_CHECK(bits.size == shape.size());
  BitTensor out = BitTensor::zeros(shape);
  if (bits.own != nullptr) std::ranges::copy(bits.own->words(), out.words().begin());
  return out;
}

}  // namespace tacit::mpc
