// A table for a terminal: columns as wide as they must be, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace tacit::launcher {

// The first row is the heading. Rows may be shorter. Of the columns so many begin at the left.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left_columns = 0);

}  // namespace tacit::launcher
