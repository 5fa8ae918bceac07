// Clear — what a protocol's clear side works with: the reference that every other session is tested against.
//
// A share is the value itself, and a rounding is dithered: unbiased, as the parties' is.
#pragma once

#include "mpc/kernels/workers.h"
#include "mpc/random/pair_seed.h"

namespace tacit::mpc {

class Clear {
 public:
  // The workers must outlive it. Equal seeds round alike.
  Clear(Workers& workers, std::uint64_t seed);

  Workers& workers() { return workers_; }
  void begin(std::int64_t operation);

  // Words of a ring, uniform in their so many low bits and zero above.
  RingTensor dither(Shape shape, int ring_bits, int bits);

 private:
  Workers& workers_;
  PairSeed stream_;
  std::int64_t operation_ = 0;
  int draws_ = 0;
};

}  // namespace tacit::mpc
