#include "bench/tables/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "net/error.h"

namespace tacit::launcher {

namespace {

std::vector<double> sorted(std::vector<double> values) {
  TACIT_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  return values;
}

// Three significant digits. Integers and numbers from 1000 on have all digits and no exponent.
std::string number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

}  // namespace

double Samples::median() const {
  const std::vector<double> v = sorted(values_);
  return v.size() % 2 == 1 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
}

double Samples::min() const { return sorted(values_).front(); }
double Samples::max() const { return sorted(values_).back(); }

std::string Samples::median_text() const { return empty() ? "-" : number(median()); }

std::string Samples::text() const {
  if (empty() || min() == max()) return median_text();
  return fmt::format("{} ({}..{})", median_text(), number(min()), number(max()));
}

}  // namespace tacit::launcher
