// UniformWords — an endless stream of uniform words from a seed of one rank alone, and uniform whole numbers below a
// limit. A word is wiped once it is used.
//
// The stream takes one named stream of the seed after the other, so no word comes twice. Thread: one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpc/random/pair_seed.h"

namespace tacit::mpc {

__extension__ using DoubleWord = unsigned __int128;

class UniformWords {
 public:
  // No other object may draw from this seed.
  explicit UniformWords(PairSeed seed);
  ~UniformWords();
  UniformWords(UniformWords&&) noexcept = default;

  std::uint64_t next();
  // Uniform in 0 … limit-1, exactly: numbers that are too large are drawn again. limit >= 1.
  DoubleWord below(DoubleWord limit);

 private:
  void refill();

  PairSeed seed_;
  RingTensor buffer_;
  std::int64_t used_ = 0;   // words of the buffer
  std::int64_t fills_ = 0;  // streams of the seed
};

}  // namespace tacit::mpc
