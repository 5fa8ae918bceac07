#include "mpc/made/mask_parts.h"

#include "mpc/made/word_access.h"

namespace tacit::mpc {

namespace {

// part(word) of each of this party's words, in Z_2^width.
template <typename Part>
SharedWords parts_of(const Engine& engine, RingView r, int width, const Part& part) {
  const SharedWords words = engine.shared(r, 1, kWordBits);
  SharedWords out{words.rows, 1, width, words.holders, nullptr};
  if (words.own == nullptr) return out;
  with_word(width, [&](auto word) {
    using Word = decltype(word);
    out.own = words_of<Word>(out.size(), width, [&](std::int64_t i) {
      return static_cast<Word>(part(load<std::uint64_t>(words.own->data(), i)));
    });
  });
  return out;
}

}  // namespace

SharedWords carries_of(const Engine& engine, std::span<const SharedWords> carries, std::int64_t rows, int width) {
  if (carries.empty()) return engine.constant(0, rows, 1, width);
  SharedWords total = carries.front();
  for (const SharedWords& carry : carries.subspan(1)) total = sum(total, carry);
  return total;
}

SharedWords over_of(const Engine& engine, RingView r, int k, const SharedWords& carries) {
  const auto upper = [k](std::uint64_t word) { return k == kWordBits ? 0 : word >> k; };
  return sum(parts_of(engine, r, carries.width, upper), carries);
}

SharedWords rho_of(const Engine& engine, RingView r, int k, const SharedWords& carries, int width) {
  const SharedWords low = parts_of(engine, r, width, [k](std::uint64_t word) { return word & low_bits(k); });
  return width <= k ? low : difference(low, shifted(narrowed(carries, width - k), k));
}

}  // namespace tacit::mpc
