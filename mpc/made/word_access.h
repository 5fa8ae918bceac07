// Words of a SharedWords as numbers of 64 or 128 bits, and loops over them.
#pragma once

#include <cstring>
#include <memory>
#include <utility>

#include "mpc/made/shared.h"

namespace tacit::mpc {

template <typename Word>
Word load(const std::uint64_t* words, std::int64_t i) {
  constexpr std::int64_t kLimbs = sizeof(Word) / sizeof(std::uint64_t);
  Word word;
  std::memcpy(&word, words + i * kLimbs, sizeof word);
  return word;
}

template <typename Word>
void store(Word word, std::uint64_t* words, std::int64_t i) {
  constexpr std::int64_t kLimbs = sizeof(Word) / sizeof(std::uint64_t);
  std::memcpy(words + i * kLimbs, &word, sizeof word);
}

template <typename Word>
constexpr Word low_mask(int width) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(Word));
  return width == 0 ? Word{0} : static_cast<Word>(~Word{0}) >> (kBits - width);
}

// Calls use(Word{}) with the type of words of this width.
template <typename Use>
auto with_word(int width, const Use& use) {
  return width > kWordBits ? use(DoubleWord{}) : use(std::uint64_t{});
}

// `size` words of this width: word i is value(i), reduced.
template <typename Word, typename Value>
std::shared_ptr<const OwnWords> words_of(std::int64_t size, int width, const Value& value) {
  auto words = std::make_shared<OwnWords>(static_cast<std::size_t>(size * limbs(width)));
  const Word mask = low_mask<Word>(width);
  for (std::int64_t i = 0; i < size; ++i) store<Word>(static_cast<Word>(value(i) & mask), words->data(), i);
  return words;
}

}  // namespace tacit::mpc
