// The learning rates of a benchmark, as a list: "1e-3,0.1".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacit::launcher {

inline constexpr double kMostRate = 16;  // a job has the same limit

// Reads numbers above 0 and up to kMostRate, each once. Throws ConfigError.
std::vector<double> parse_rates(std::string_view text);
std::string text_of_rate(double rate);  // the shortest text: "0.1", "1e-05"
std::string text_of(const std::vector<double>& rates);

}  // namespace tacit::launcher
