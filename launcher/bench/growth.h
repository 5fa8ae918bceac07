// Growth — how a figure grows with the number of parties: the power of n that fits it best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launcher/report/figure.h"

namespace tacit::launcher {

struct Growth {
  double factor = 0, exponent = 0;  // y = factor · x^exponent
  double fit = 0;                   // R² of the logarithms: 1 where all points lie on it

  std::string text() const;  // "as n^1.04: linearly"; where it fits badly, that it does
};

// By least squares of the logarithms. Nothing from fewer than three points, or where one is not above zero.
std::optional<Growth> growth_of(const std::vector<Point>& points);

}  // namespace tacit::launcher
