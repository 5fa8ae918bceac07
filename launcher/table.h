// Formats a table for a terminal: columns of minimal width, numbers aligned to the right.
#pragma once

#include <string>
#include <vector>

namespace tacit::launcher {

// The first row is the heading. A row may be shorter. The first `left_columns` columns are aligned
// to the left.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left_columns = 0);

}  // namespace tacit::launcher
