// Clear is the context of a protocol's clear side, the reference in the tests of every other
// session.
//
// A share is the value itself. Rounding is dithered: unbiased, like the parties' rounding.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/random/pair_seed.h"
#include "mpc/random/uniform_words.h"
#include "mpc/session/profile.h"

namespace tacit::mpc {

// A value outside the permitted range of an operation.
struct RangeViolation {
  std::string step;    // the program's current step
  std::string what;    // the operation: "show", "comparison"
  double largest = 0;  // largest magnitude, as a real number
  double limit = 0;
  std::int64_t count = 0;  // number of such calls in this step
};

class Clear {
 public:
  // The workers must outlive this object. Equal seeds give equal roundings.
  Clear(Workers& workers, std::uint64_t seed);

  Workers& workers() { return workers_; }
  void begin(std::int64_t operation);
  Waited waited() const { return {}; }

  void set_step(std::string step) { step_ = std::move(step); }

  // Records a violation unless |x - at| of every element is below `limit` units.
  void expect_below(std::string_view what, const RingTensor& x, std::int64_t at, double limit, int fraction_bits);
  const std::vector<RangeViolation>& range_violations() const { return violations_; }

  // Words of a ring, uniform in their `bits` low bits and zero above.
  RingTensor dither(Shape shape, int ring_bits, int bits);
  RingTensor dither(Shape shape, int bits) { return dither(shape, bits, bits); }
  // A stream of words for one use.
  UniformWords uniform_words();

 private:
  Workers& workers_;
  PairSeed stream_;
  std::int64_t operation_ = 0;
  int draws_ = 0;
  std::string step_;
  std::vector<RangeViolation> violations_;
};

}  // namespace tacit::mpc
