// Confusion matrices as tables for a terminal.
#pragma once

#include <string>

#include "launcher/json.h"

namespace tacit::launcher {

// Of the readings with counts in a list of readings; "": none. A line for each class, a column for each predicted class. The
// counts of the twin's readings, `plain`, stand in brackets.
std::string counts_text(const Json& readings, const Json& plain = Json::array());

}  // namespace tacit::launcher
