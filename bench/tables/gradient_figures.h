// The charts of `tacit bench gradients`: the document's sixteen figures, numbered as there, and two more.
#pragma once

#include <vector>

#include "bench/tables/measurements.h"
#include "launcher/report/figure.h"

namespace tacit::launcher {

// A chart without measurements is empty, and the page leaves it out.
std::vector<Figure> gradient_figures(const Measurements& measured);

}  // namespace tacit::launcher
