// BenchResults — a folder of measurements: JSON and CSV of each benchmark, and a page of all that are in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/bench/measurements.h"

namespace tacit::launcher {

class BenchResults {
 public:
  explicit BenchResults(std::filesystem::path folder);  // made when something is written

  // Throws ConfigError where the folder cannot be made or written, or its *.json are no measurements: before anything
  // is measured that then cannot be kept.
  void expect_usable() const;
  // NAME.json, and NAME-TABLE.csv for each table; what an earlier run left under these names is replaced.
  void write(const Measurements& measured) const;
  // report.html and figures/*.svg, of every *.json in the folder. Gives the page. Throws ConfigError where there is
  // none, or one is no file of measurements.
  std::filesystem::path write_page() const;

  std::vector<Measurements> read() const;  // in the order in which a page tells them

 private:
  std::filesystem::path folder_;
};

}  // namespace tacit::launcher
