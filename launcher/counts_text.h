// Confusion matrices as tables for a terminal.
#pragma once

#include <string>

#include "launcher/json.h"

namespace tacit::launcher {

// Formats each reading with counts in a list of readings: a line for each class, a column for each predicted class.
// "": no reading has counts, or they have too many classes.
std::string counts_text(const Json& readings);

}  // namespace tacit::launcher
