// sampling — random polynomials: secrets, errors, and public uniform residues.
//
// The numbers are two's complement. The time depends on how many bits were drawn again, and not on the numbers drawn.
#pragma once

#include <span>

#include "mpc/lattice/limbs.h"
#include "mpc/lattice/prime.h"
#include "mpc/random/pair_seed.h"

namespace tacit::mpc::lattice {

// Uniform words, from a seed that serves this stream alone.
class Stream {
 public:
  explicit Stream(PairSeed seed) : seed_(std::move(seed)) {}
  void fill(std::span<std::uint64_t> words);

 private:
  PairSeed seed_;
  std::int64_t fills_ = 0;
};

// A stream of this party alone, from the operating system's generator.
Stream own_stream(const Nonce& nonce);

// Uniform in -1, 0, 1: two bits each, and 3 is drawn again. kDegree words.
void draw_ternary(Stream& random, std::uint64_t* out);

// The difference of the sums of 21 and of 21 bits: centred binomial with variance 10.5, between -21 and 21. kDegree words.
void draw_errors(Stream& random, std::uint64_t* out);
inline constexpr double kErrorDeviation = 3.2404;

// Uniform below p: as many bits as p has, and a number that is not below p is drawn again. kDegree words.
void draw_uniform(Stream& random, const Prime& prime, std::uint64_t* out);

// Appends the numbers of `drawn` that are below `bound` to the `count` numbers of `out`, until there are kDegree. Returns the new
// count. `drawn` may be the words of `out` from `count` on. Numbers are below 2^63.
std::int64_t accept_below(std::uint64_t bound, std::span<const std::uint64_t> drawn, std::uint64_t* out,
                          std::int64_t count);

}  // namespace tacit::mpc::lattice
