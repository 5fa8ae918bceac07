// BenchReport — what a benchmark measured: a table for people, JSON for pictures and comparisons.
//
// No figure without its command, machine and number of runs: a row holds all samples, and shows median, min and max.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace tacit::bench {

// Repeated measurements of one thing.
class Samples {
 public:
  Samples() = default;
  explicit Samples(std::string unit) : unit_(std::move(unit)) {}

  void add(double value) { values_.push_back(value); }
  bool empty() const { return values_.empty(); }
  double median() const;
  double min() const;
  double max() const;
  const std::vector<double>& values() const { return values_; }
  const std::string& unit() const { return unit_; }

 private:
  std::string unit_;
  std::vector<double> values_;
};

// One line of a table: what was varied, and what came out, both in the order in which they were added.
struct Row {
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::pair<std::string, Samples>> figures;

  Samples& figure(const std::string& name, const std::string& unit);  // made on first use
};

class BenchReport {
 public:
  // `arguments` as main got them.
  BenchReport(std::string bench, int argc, const char* const* argv);

  Row& add(std::vector<std::pair<std::string, std::string>> labels);
  void note(std::string line) { notes_.push_back(std::move(line)); }  // an aim and whether it was met, a caveat

  std::string table() const;
  nlohmann::json json() const;

  // Prints the table, and writes the JSON to `json_path` unless that is empty ("-": standard output).
  void finish(const std::string& json_path) const;

 private:
  std::string bench_;
  std::string command_;
  std::vector<std::unique_ptr<Row>> rows_;
  std::vector<std::string> notes_;
};

// CPU model, cores, kernel: what a figure must be read with.
nlohmann::json this_machine();

}  // namespace tacit::bench
