// Samples — repeated measurements of one thing.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tacit::launcher {

class Samples {
 public:
  Samples() = default;
  explicit Samples(std::string unit, std::vector<double> values = {})
      : unit_(std::move(unit)), values_(std::move(values)) {}

  void add(double value) { values_.push_back(value); }
  bool empty() const { return values_.empty(); }
  // These need at least one sample.
  double median() const;
  double min() const;
  double max() const;
  const std::vector<double>& values() const { return values_; }
  const std::string& unit() const { return unit_; }

  std::string median_text() const;  // "11.5"; "-": no sample
  std::string text() const;         // "11.5 (11.2..14)"

 private:
  std::string unit_;
  std::vector<double> values_;
};

}  // namespace tacit::launcher
