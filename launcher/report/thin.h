// Fewer points than a picture has room for.
#pragma once

#include <vector>

#include "launcher/report/figure.h"

namespace tacit::launcher {

// A long line in parts of equally many points: the median of each, and how far its points reach.
struct Bands {
  std::size_t together = 1;  // points to a part
  std::vector<Point> median, least, most;
};

// `parts` or a few more parts. The last may have fewer points than the others.
Bands in_bands(const std::vector<Point>& points, std::size_t parts);

}  // namespace tacit::launcher
