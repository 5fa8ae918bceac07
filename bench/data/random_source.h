// RandomSource — random numbers for made data, the same on every machine.
//
// SplitMix64 (Steele, Lea, Flood 2014), without <random> and libm, which give other results in other libraries.
// Anybody can compute all numbers from the seed, so never use this class for a mask, a share or a key; mpc/random is
// for these.
#pragma once

#include <cstdint>
#include <span>

namespace tacit::gnn {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}

  std::uint64_t word();
  double uniform();                         // in [0, 1): a multiple of 2^-53
  double uniform(double low, double high);  // in [low, high)
  std::int64_t below(std::int64_t limit);   // in 0 … limit-1, each equally likely
  double normal();                          // mean 0, variance 1, within ±6: the sum of twelve uniform numbers, less 6
  bool chance(double probability) { return uniform() < probability; }

  void shuffle(std::span<std::int64_t> values);

 private:
  std::uint64_t state_;
};

}  // namespace tacit::gnn
