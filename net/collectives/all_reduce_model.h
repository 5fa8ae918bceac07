// AllReduceModel — how long each algorithm takes, from a few measurements: straight lines between them and beyond.
//
// Times are whole nanoseconds, so that parties that measured the same predict the same.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "net/collectives/all_reduce_plan.h"

namespace tacit::net {

class AllReduceModel {
 public:
  void add(AllReduce algorithm, std::int64_t bytes, std::chrono::nanoseconds time);

  // None without a measurement. Between two sizes it is on the line between them; beyond the largest on the line from
  // the smallest through the largest, which bears noise best; with one alone, in proportion.
  std::optional<std::chrono::nanoseconds> predict(AllReduce algorithm, std::int64_t bytes) const;

  // The fastest prediction at this size; at least one measurement is there.
  std::chrono::nanoseconds predict_best(std::int64_t bytes) const;

  // The fastest at each size; among those that are nearly as fast, the one with the fewest rounds.
  AllReducePlan plan() const;

 private:
  using Times = std::map<std::int64_t, std::int64_t>;  // nanoseconds by bytes
  const Times& times(AllReduce algorithm) const { return times_[static_cast<std::size_t>(algorithm)]; }
  AllReduce choose(std::int64_t bytes) const;

  std::array<Times, kAllReduceAlgorithms.size()> times_;
};

}  // namespace tacit::net
