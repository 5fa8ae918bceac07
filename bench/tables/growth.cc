#include "bench/tables/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tacit::launcher {

namespace {

constexpr double kNothing = 1e-24;  // scatter that is rounding alone

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// By polynomials that are orthogonal over these places: 1, p and p^2 - turn p - rest.
void fit_line(const std::vector<Point>& points, Growth& growth) {
  const auto count = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0;
  for (const Point& point : points) {
    mean_x += point.x / count;
    mean_y += point.y / count;
  }
  std::vector<double> p, square, y;
  for (const Point& point : points) {
    p.push_back(point.x - mean_x);
    square.push_back(p.back() * p.back());
    y.push_back(point.y - mean_y);
  }
  const double turn = dot(square, p) / dot(p, p), rest = dot(p, p) / count;
  std::vector<double> bend;
  for (std::size_t i = 0; i < p.size(); ++i) bend.push_back(square[i] - turn * p[i] - rest);
  growth.slope = dot(p, y) / dot(p, p);
  growth.offset = mean_y - growth.slope * mean_x;
  const double scatter = dot(y, y), explained = growth.slope * dot(p, y);
  growth.line_fit = scatter <= kNothing * count * mean_y * mean_y ? 1 : explained / scatter;
  const double bent = dot(bend, bend) <= kNothing * dot(square, square) ? 0 : dot(bend, y) / dot(bend, bend);
  const auto [first, last] = std::minmax_element(p.begin(), p.end());
  const auto slope = [&](double at) { return growth.slope + bent * (2 * at - turn); };
  growth.steepening = slope(*first) > 0 ? slope(*last) / slope(*first) : std::numeric_limits<double>::infinity();
}

}  // namespace

bool Growth::is_linear() const {
  constexpr double kLine = 0.98, kStraight = 1.5, kHardly = 0.1;
  const double straight = std::min(kStraight, std::sqrt(range));  // a square steepens by the whole range
  return exponent > kHardly && slope > 0 && line_fit >= kLine && steepening < straight && steepening > 1 / straight;
}

std::string Growth::text() const {
  constexpr double kAbout = 0.1, kLaw = 0.9;
  if (is_linear()) {
    return fmt::format("linearly, as {:.3g} n {} {:.2g}", slope, offset < 0 ? '-' : '+', std::abs(offset));
  }
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
  growth.fit = yy < kNothing * count ? 1 : xy * xy / (xx * yy);
  const auto [first, last] =
      std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  growth.range = last->x / first->x;
  fit_line(points, growth);
  return growth;
}

}  // namespace tacit::launcher
