#include "launcher/report/thin.h"

#include <algorithm>

#include "net/error.h"

namespace tacit::launcher {

Bands in_bands(const std::vector<Point>& points, std::size_t parts) {
  TACIT_CHECK(parts > 0);
  Bands bands;
  bands.together = std::max<std::size_t>(1, points.size() / parts);
  for (std::size_t begin = 0; begin < points.size(); begin += bands.together) {
    const std::size_t end = std::min(points.size(), begin + bands.together);
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) values.push_back(points[i].y);
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    const double x = (points[begin].x + points[end - 1].x) / 2;
    bands.median.push_back({x, median});
    bands.least.push_back({x, values.front()});
    bands.most.push_back({x, values.back()});
  }
  return bands;
}

}  // namespace tacit::launcher
