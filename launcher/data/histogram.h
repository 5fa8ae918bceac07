// Histogram — how numbers are spread, small enough to print beside them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tacit::launcher {

// Of so many equal steps between the least and the most of them, where all are the same, in the first; of few whole
// numbers a step for each.
struct Histogram {
  double least = 0, most = 0;
  std::vector<std::int64_t> counts;
};
Histogram histogram(std::span<const double> values, int steps);

enum class Letters { kAscii, kBlocks };
Letters letters_of_terminal();  // blocks where the locale's variables say UTF-8

// A character for each step, higher for more; a step with any is never blank.
std::string bars(std::span<const std::int64_t> counts, Letters letters);

}  // namespace tacit::launcher
