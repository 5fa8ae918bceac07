// Planner is the context of a protocol's planning side: it makes values without contents and counts
// work.
#pragma once

#include <cstdint>

#include "mpc/session/profile.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

// An estimate of a party's computation, for forecasts of time and memory: not exact.
struct Work {
  std::int64_t multiplications = 0;  // of elements, in products of two secret matrices
  std::int64_t words = 0;            // words of all values made
  std::int64_t passing = 0;          // the part of `words` that operations free when they end
  std::int64_t most_passing = 0;     // the largest such part of a single operation

  Work& operator+=(const Work& other);
  Work& operator-=(const Work& other);
  friend Work operator+(Work a, const Work& b) { return a += b; }
  friend Work operator-(Work a, const Work& b) { return a -= b; }
};

class Planner {
 public:
  // A share without contents. Its words are counted.
  Share made(Shape shape, Format format);
  // The same for masked and shown values, which hold a public word and a share of a mask for each
  // element.
  Masked made_masked(Shape shape, Format format);
  Shown made_shown(Shape shape, Format format);

  // Words that the operation frees at its end.
  void made_passing(std::int64_t words);

  Work& work() { return work_; }
  const Work& work() const { return work_; }

  void begin(std::int64_t /*operation*/) {}
  Waited waited() const { return {}; }

 private:
  Work work_;
};

}  // namespace tacit::mpc
