// Measurements of others, to show beside ours: the report that Tacit answers, CrypTen, MP-SPDZ. The numbers are in
// bench/others/, in the same form as ours, and part of this program.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

// Others' measurements for a benchmark. Each has one table, named after the software or the report.
std::vector<Measurements> others(const std::string& bench);

}  // namespace tacit::launcher
