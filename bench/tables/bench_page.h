// The page of a folder of measurements: every table and figure, the aims with their results, others' numbers.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

std::string bench_page(const std::vector<Measurements>& all);

}  // namespace tacit::launcher
