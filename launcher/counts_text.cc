#include "launcher/counts_text.h"

#include <fmt/format.h>

#include <vector>

#include "launcher/run_fields.h"
#include "launcher/table.h"
#include "net/printable.h"

namespace tacit::launcher {

std::string counts_text(const Json& readings) {
  constexpr std::size_t kMostColumns = 20;  // on a terminal
  std::string text;
  if (!readings.is_array()) return text;
  for (const Json& one : readings) {
    const auto told = struct_in<ToldReading>(one);
    const std::size_t classes = told.counts.rows.size();
    if (classes == 0 || classes > kMostColumns) continue;
    std::vector<std::vector<std::string>> rows{{net::printable(told.what, kMostText)}};
    for (std::size_t c = 0; c < classes; ++c) rows[0].push_back(fmt::format("predicted {}", c));
    for (std::size_t r = 0; r < classes; ++r) {
      rows.push_back({fmt::format("class {}", r)});
      for (const double count : told.counts.rows[r]) rows.back().push_back(fmt::format("{:.0f}", count));
    }
    text += table(rows, 1);
  }
  return text;
}

}  // namespace tacit::launcher
