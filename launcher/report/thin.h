// Fewer points, for the same picture.
#pragma once

#include <vector>

#include "launcher/report/figure.h"

namespace tacit::launcher {

// Of each of so many equal parts of the line the first, the least, the most and the last point: no peak is lost.
std::vector<Point> thinned(const std::vector<Point>& points, int parts);

}  // namespace tacit::launcher
