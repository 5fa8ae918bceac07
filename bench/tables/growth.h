// Growth — how a figure grows with the number of parties: along a line, or by the power of n that fits it best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launcher/report/figure.h"

namespace tacit::launcher {

struct Growth {
  double factor = 0, exponent = 0;  // y = factor * x^exponent
  double fit = 0;                   // R squared of the logarithms: 1 where all points lie on it
  double slope = 0, offset = 0;     // y = slope * x + offset
  double line_fit = 0;              // R squared
  double steepening = 1;            // best parabola: slope at the last point, divided by the slope at the first
  double range = 1;                 // the last x, divided by the first

  // A cost paid once, or for each of n - 1 peers, is linear in n without being a power of n.
  bool is_linear() const;
  std::string text() const;  // "linearly, as 7.1 n - 6.1", "as n^1.8: faster than linearly"; or that nothing fits
};

// Fits by least squares. Returns nothing for fewer than three points, or if a point is not above zero.
std::optional<Growth> growth_of(const std::vector<Point>& points);

}  // namespace tacit::launcher
