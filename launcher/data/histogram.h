// Histogram — the distribution of numbers, small enough to print beside them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tacit::launcher {

// Counts the numbers in equal steps between the least and the most. Equal numbers all fall into the
// first step. A few whole numbers get a step each.
struct Histogram {
  double least = 0, most = 0;
  std::vector<std::int64_t> counts;
};
Histogram histogram(std::span<const double> values, int steps);

enum class Letters { kAscii, kBlocks };
Letters letters_of_terminal();  // blocks if the locale's variables contain UTF-8

// One character for each step, higher for a larger count. A step with any number is never blank.
std::string bars(std::span<const std::int64_t> counts, Letters letters);

}  // namespace tacit::launcher
