// BenchResults — a folder of measurements: JSON and CSV of each benchmark, and a page of all benchmarks.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

class BenchResults {
 public:
  explicit BenchResults(std::filesystem::path folder);  // made when something is written

  // Throws ConfigError if the folder cannot be made or written, or its *.json are no measurements. Call it before a
  // measurement, which could otherwise not be stored.
  void expect_usable() const;
  // Throws ConfigError if the folder holds tables of this benchmark that are not in `tables`: a new run would remove
  // them.
  void expect_whole(const std::string& bench, const std::vector<std::string>& tables) const;
  // NAME.json, and NAME-TABLE.csv for each table; replaces the files of an earlier run of this benchmark.
  void write(const Measurements& measured) const;
  // Writes report.html from every *.json in the folder, and returns its path. Throws ConfigError if the folder has no
  // *.json, or one is no file of measurements.
  std::filesystem::path write_page() const;

  std::vector<Measurements> read() const;  // in the order of the page

 private:
  std::filesystem::path json_of(const std::string& bench) const;
  std::filesystem::path csv_of(const std::string& bench, const Table& table) const;
  std::set<std::filesystem::path> tables_of(const Measurements& measured) const;  // the CSV files

  std::filesystem::path folder_;
};

}  // namespace tacit::launcher
