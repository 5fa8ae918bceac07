// SharedBits and SharedWords — values that some parties share, their holders: bits whose sum modulo 2 is the value, or words whose
// sum modulo 2^width is the value. Here also the steps that each holder takes alone.
//
// `own` is null unless this party is a holder. On a plan, and for no elements, it may be null at a holder, too; a step then gives a
// value without contents. Copies are cheap. Thread: as a plain value, but bindings are shared by copies.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mpc/ot/bit_times_word.h"
#include "mpc/random/uniform_words.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

struct SharedBits {
  std::int64_t size = 0;
  Holders holders;
  std::shared_ptr<const BitTensor> own;  // one row
  // The oblivious transfers to which bits of holders are bound; of each holder at most once. Engine adds to them.
  struct Binding {
    Holders holders;
    std::shared_ptr<BitTimesWord::Bound> bound;
  };
  std::shared_ptr<std::vector<Binding>> bindings = std::make_shared<std::vector<Binding>>();
};

// Words, row after row, reduced. Of a width above 64, each is two words, the low one first.
using OwnWords = std::vector<std::uint64_t>;

struct SharedWords {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  int width = kWordBits;  // 1 … 128
  Holders holders;
  std::shared_ptr<const OwnWords> own;  // rows · columns

  std::int64_t size() const { return rows * columns; }
};

constexpr int limbs(int width) { return width > kWordBits ? 2 : 1; }

inline Holders all_of(int parties) { return Holders(static_cast<std::size_t>(parties), true); }
Holders only(int party, int parties);
Holders either(const Holders& a, const Holders& b);

// Element by element. Of equal sizes; words in the ring of the narrower operand.
SharedBits exclusive_or(const SharedBits& a, const SharedBits& b);
SharedWords sum(const SharedWords& a, const SharedWords& b);
SharedWords difference(const SharedWords& a, const SharedWords& b);
SharedWords scaled(const SharedWords& a, DoubleWord factor);

// a mod 2^width, for a width of at most a's.
SharedWords narrowed(const SharedWords& a, int width);
// a·2^bits in the ring of a.width + bits.
SharedWords shifted(const SharedWords& a, int bits);
// a / 2^bits in the ring of a.width - bits. Each holder rounds its own word, a half up (see protocols/drop.h): for h holders the
// result is off by less than h/2 + 1/2 units.
SharedWords dropped(const SharedWords& a, int bits);

// The columns side by side: of equal rows and widths.
SharedWords beside(std::span<const SharedWords> words);
SharedWords columns_of(const SharedWords& a, std::int64_t begin, std::int64_t count);
// Row r is the sum of the rows r·each … r·each + each - 1.
SharedWords sums_of_rows(const SharedWords& a, std::int64_t each);

// This party's share as a tensor, of a width of at most 64. Zeros without contents.
RingTensor tensor_of(const SharedWords& words, Shape shape);
BitTensor tensor_of(const SharedBits& bits, Shape shape);

}  // namespace tacit::mpc
