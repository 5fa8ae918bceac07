#include "launcher/report/thin.h"

#include <algorithm>
#include <set>

namespace tacit::launcher {

std::vector<Point> thinned(const std::vector<Point>& points, int parts) {
  const auto all = static_cast<std::ptrdiff_t>(points.size());
  if (all <= 4 * std::ptrdiff_t{parts}) return points;
  std::vector<Point> kept;
  const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
  for (std::ptrdiff_t part = 0; part < parts; ++part) {
    const auto begin = points.begin() + all * part / parts, end = points.begin() + all * (part + 1) / parts;
    const auto [least, most] = std::minmax_element(begin, end, lower);
    for (const auto& one : std::set{begin, least, most, end - 1}) kept.push_back(*one);
  }
  return kept;
}

}  // namespace tacit::launcher
