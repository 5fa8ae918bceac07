#include "launcher/bench/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tacit::launcher {

std::string Growth::text() const {
  constexpr double kAbout = 0.1, kLaw = 0.9;
  if (fit < kLaw) return fmt::format("by no power of n (R squared {:.2f})", fit);
  const char* how = "faster than linearly";
  if (std::abs(exponent) < kAbout) {
    how = "hardly at all";
  } else if (exponent < 0) {
    how = "it falls";
  } else if (exponent < 1 - kAbout) {
    how = "less than linearly";
  } else if (exponent <= 1 + kAbout) {
    how = "linearly";
  }
  return fmt::format("as n^{:.2f}: {}", exponent, how);
}

std::optional<Growth> growth_of(const std::vector<Point>& points) {
  const bool positive =
      std::all_of(points.begin(), points.end(), [](const Point& point) { return point.x > 0 && point.y > 0; });
  if (points.size() < 3 || !positive) return std::nullopt;
  const auto count = static_cast<double>(points.size());
  double x = 0, y = 0;
  for (const Point& point : points) {
    x += std::log(point.x) / count;
    y += std::log(point.y) / count;
  }
  double xx = 0, xy = 0, yy = 0;
  for (const Point& point : points) {
    const double dx = std::log(point.x) - x, dy = std::log(point.y) - y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (xx == 0) return std::nullopt;
  Growth growth;
  growth.exponent = xy / xx;
  growth.factor = std::exp(y - growth.exponent * x);
  constexpr double kNothing = 1e-24;  // of scatter: what rounding leaves
  growth.fit = yy < kNothing * count ? 1 : xy * xy / (xx * yy);
  return growth;
}

}  // namespace tacit::launcher
