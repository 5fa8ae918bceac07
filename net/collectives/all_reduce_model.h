// AllReduceModel predicts the time of each algorithm from a few measurements, by linear
// interpolation and extrapolation.
//
// Times are whole nanoseconds, so that parties with the same measurements predict the same times.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "net/collectives/all_reduce_plan.h"

namespace tacit::net {

class AllReduceModel {
 public:
  void add(AllReduce algorithm, std::int64_t bytes, std::chrono::nanoseconds time);

  // Empty without a measurement. Between two sizes, the prediction lies on the line between them.
  // For larger sizes, the model uses the line from the smallest through the largest size, which
  // is least sensitive to noise. A single measurement is scaled in proportion.
  std::optional<std::chrono::nanoseconds> predict(AllReduce algorithm, std::int64_t bytes) const;

  // The fastest prediction at this size. Requires at least one measurement.
  std::chrono::nanoseconds predict_best(std::int64_t bytes) const;

  // The plan with the fastest algorithm at each size. Among nearly equal times, the algorithm with
  // the fewest rounds wins.
  AllReducePlan plan() const;

 private:
  using Times = std::map<std::int64_t, std::int64_t>;  // nanoseconds by bytes
  const Times& times(AllReduce algorithm) const { return times_[static_cast<std::size_t>(algorithm)]; }
  AllReduce choose(std::int64_t bytes) const;

  std::array<Times, kAllReduceAlgorithms.size()> times_;
};

}  // namespace tacit::net
