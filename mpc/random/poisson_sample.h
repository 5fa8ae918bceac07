// PoissonSample — a random subset: every row independently with the same probability, from a seed of one rank alone.
//
// The gaps between two drawn rows are geometric. A gap is computed from 53 uniform bits, so that each row's probability
// differs from `rate` by a factor of at most 1 ± 1e-15, and gaps longer than 36.7 / rate, with a probability of 2^-53, do not
// come. Thread: one.
#pragma once

#include <vector>

#include "mpc/random/uniform_words.h"

namespace tacit::mpc {

class PoissonSample {
 public:
  // 0 < rate <= 1. No other object may draw from this seed.
  PoissonSample(PairSeed seed, double rate);

  // Ascending numbers of 0 … rows-1.
  std::vector<std::int64_t> draw(std::int64_t rows);

 private:
  UniformWords random_;
  double rate_, log_left_;  // log(1 - rate)
};

}  // namespace tacit::mpc
