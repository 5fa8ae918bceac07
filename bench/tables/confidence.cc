#include "bench/tables/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "launcher/report/quantity.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

// Student's t at 0.975, for 1 to 30 degrees of freedom.
constexpr std::array<double, 30> kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                             2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                             2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

// For more degrees of freedom, the first three terms of the expansion around the normal quantile: within 0.0001.
double student(std::size_t freedom) {
  if (freedom <= kStudent.size()) return kStudent[freedom - 1];
  constexpr double kNormal = 1.959964;
  constexpr double kCube = kNormal * kNormal * kNormal;
  const auto v = static_cast<double>(freedom);
  return kNormal + (kCube + kNormal) / (4 * v) +
         (5 * kCube * kNormal * kNormal + 16 * kCube + 3 * kNormal) / (96 * v * v);
}

}  // namespace

std::string MeanInterval::text(const std::string& unit) const {
  const std::string after = unit.empty() ? "" : " " + unit;
  return half ? fmt::format("{} +- {}{}", number_text(mean), number_text(*half), after) : number_text(mean) + after;
}

MeanInterval mean_interval(const std::vector<double>& runs) {
  TACIT_CHECK(!runs.empty());
  const auto count = static_cast<double>(runs.size());
  MeanInterval made{std::accumulate(runs.begin(), runs.end(), 0.0) / count, std::nullopt};
  if (runs.size() == 1) return made;
  double squares = 0;
  for (const double run : runs) squares += (run - made.mean) * (run - made.mean);
  made.half = student(runs.size() - 1) * std::sqrt(squares / (count - 1) / count);
  return made;
}

Comparison compare_runs(const std::vector<double>& a, const std::vector<double>& b, double alike) {
  const std::size_t pairs = std::min(a.size(), b.size());
  TACIT_CHECK(pairs > 0);
  std::vector<double> differences;
  for (std::size_t i = 0; i < pairs; ++i) differences.push_back(b[i] - a[i]);
  const MeanInterval difference = mean_interval(differences);
  if (!difference.half) return Comparison::kOpen;
  const double small = alike * std::abs(mean_interval(a).mean);
  const double least = difference.mean - *difference.half, most = difference.mean + *difference.half;
  if (least >= -small && most <= small) return Comparison::kAlike;
  if (least > 0) return Comparison::kLess;
  return most < 0 ? Comparison::kMore : Comparison::kOpen;
}

}  // namespace tacit::launcher
