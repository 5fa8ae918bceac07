// Durations and sizes with a unit that suits them.
#pragma once

#include <string>

namespace tacit::launcher {

std::string duration_text(double seconds);  // "41 ms", "8 s", "3 min", "2.5 h"
std::string bytes_text(double bytes);       // "194 kB"

}  // namespace tacit::launcher
