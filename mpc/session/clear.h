// Clear — what a protocol's clear side works with: the reference that every other session is tested against.
//
// A share is the value itself, and a rounding is dithered: unbiased, as the parties' is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/random/pair_seed.h"
#include "mpc/session/profile.h"

namespace tacit::mpc {

// A value outside the range of what was done with it.
struct RangeViolation {
  std::string step;    // as the program named it
  std::string what;    // "show", "comparison"
  double largest = 0;  // magnitude, in real terms
  double limit = 0;
  std::int64_t count = 0;  // such calls in this step
};

class Clear {
 public:
  // The workers must outlive it. Equal seeds round alike.
  Clear(Workers& workers, std::uint64_t seed);

  Workers& workers() { return workers_; }
  void begin(std::int64_t operation);
  Waited waited() const { return {}; }

  void set_step(std::string step) { step_ = std::move(step); }

  // Notes a violation unless |x - at| of every element is below `limit` units.
  void expect_below(std::string_view what, const RingTensor& x, std::int64_t at, double limit, int fraction_bits);
  const std::vector<RangeViolation>& range_violations() const { return violations_; }

  // Words of a ring, uniform in their so many low bits and zero above.
  RingTensor dither(Shape shape, int ring_bits, int bits);
  RingTensor dither(Shape shape, int bits) { return dither(shape, bits, bits); }

 private:
  Workers& workers_;
  PairSeed stream_;
  std::int64_t operation_ = 0;
  int draws_ = 0;
  std::string step_;
  std::vector<RangeViolation> violations_;
};

}  // namespace tacit::mpc
