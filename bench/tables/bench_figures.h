// Makes figures of measurements, ours and others' on the same axes.
#pragma once

#include <vector>

#include "bench/tables/measurements.h"
#include "launcher/report/figure.h"

namespace tacit::launcher {

// Returns no figures for an unknown benchmark.
std::vector<Figure> figures_of(const Measurements& measured);

}  // namespace tacit::launcher
