// Durations and sizes with a unit that suits them, and figures without a unit.
#pragma once

#include <string>

namespace tacit::launcher {

std::string duration_text(double seconds);  // "41 ms", "8 s", "3 min", "2.5 h"
std::string bytes_text(double bytes);       // "194 kB"

// Four decimals, or four digits for a figure that is very small or very large: "0.2719", "3.1e-05",
// "8.442e+36".
std::string figure_text(double figure);

}  // namespace tacit::launcher
