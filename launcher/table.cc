#include "launcher/table.h"

#include <algorithm>
#include <cstdint>

#include "net/printable.h"

namespace tacit::launcher {

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left_columns) {
  std::vector<std::int64_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], net::columns_of(row[column]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string& cell = row[column];
      line += column == 0 ? "" : "  ";
      const std::string space(static_cast<std::size_t>(widths[column] - net::columns_of(cell)), ' ');
      line += column < left_columns ? cell + space : space + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace tacit::launcher
