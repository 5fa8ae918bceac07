// Runs of one job with several seeds: which seeds, and the mean and deviation of each figure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "launcher/json.h"

namespace tacit::launcher {

inline constexpr std::size_t kMostSeeds = 1000;

// "1..5", or "3,7,11". Throws ConfigError.
std::vector<std::int64_t> parse_seeds(const std::string& text);

// The output folder of the run with this seed.
std::filesystem::path folder_of_seed(const std::filesystem::path& output, std::int64_t seed);

class FiguresOverSeeds {
 public:
  // `figures` as side_by_side() returns them.
  void add(const Json& figures);

  // A table with mean and sample deviation of every figure, over the seeds that have it; "": no figures.
  std::string text() const;
  // A list of {what, mean, deviation, values, plain_mean, plain_deviation, plain_values}. A deviation of one value is null.
  Json json() const;

 private:
  struct Figure {
    std::string what, shown;
    std::vector<double> shares, plain;
  };
  std::vector<Figure> figures_;
  std::size_t seeds_ = 0;
};

}  // namespace tacit::launcher
