// What others measured, to be shown beside ours: the report that Tacit answers, CrypTen, MP-SPDZ. The numbers are in
// bench/others/, in the form in which ours are written, and part of this program.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

// Of this benchmark: each with one table, whose name says whose it is.
std::vector<Measurements> others(const std::string& bench);

}  // namespace tacit::launcher
