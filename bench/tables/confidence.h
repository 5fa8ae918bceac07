// The mean of repeated runs with its 95 % interval (Student's t), and the comparison of two settings by it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tacit::launcher {

struct MeanInterval {
  double mean = 0;
  std::optional<double> half;  // half the width of the interval; nullopt: a single run has none

  std::string text(
      const std::string& unit = "") const;  // "20.4 +- 0.7 %"; ASCII, since files of measurements are read so
};

// `runs` has one value at least.
MeanInterval mean_interval(const std::vector<double>& runs);

enum class Comparison {
  kLess,   // the interval of the differences lies above zero
  kMore,   // below zero
  kAlike,  // the interval of the differences lies within `alike` of zero
  kOpen,   // too few runs, or too different from each other
};

// Is `a` less than `b`? Pairs values at the same index, which belong to the same seed. Both have one value at least;
// the extra values of the longer one are left out. `alike`: differences up to this part of the mean of `a` do not
// matter.
Comparison compare_runs(const std::vector<double>& a, const std::vector<double>& b, double alike);

}  // namespace tacit::launcher
