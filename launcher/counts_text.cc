#include "launcher/counts_text.h"

#include <fmt/format.h>

#include <vector>

#include "gnn/data/class_names.h"
#include "launcher/reading_name.h"
#include "launcher/run_fields.h"
#include "launcher/table.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

std::string shown_class(const std::vector<std::string>& names, std::size_t number) {
  return net::printable(gnn::name_of_class(names, static_cast<std::int64_t>(number)), kMostOfShownName);
}

// The counts of the same metric; none if there are none, or of other classes.
ToldCounts same_counts(const Json& readings, const ToldReading& told) {
  if (!readings.is_array()) return {};
  for (const Json& one : readings) {
    const auto other = struct_in<ToldReading>(one);
    if (other.what == told.what && other.counts.rows.size() == told.counts.rows.size()) return other.counts;
  }
  return {};
}

}  // namespace

std::string counts_text(const Json& readings, const Json& plain) {
  constexpr std::size_t kMostColumns = 20;  // on a terminal
  std::string text;
  if (!readings.is_array()) return text;
  for (const Json& one : readings) {
    const auto told = struct_in<ToldReading>(one);
    const std::size_t classes = told.counts.rows.size();
    if (classes == 0 || classes > kMostColumns) continue;
    const std::vector<std::string>& names = told.class_names.of;
    const ToldCounts twin = same_counts(plain, told);
    std::vector<std::vector<std::string>> rows{
        {net::printable(told.what, kMostText) + (twin.rows.empty() ? "" : " (on plain data)")}};
    for (std::size_t c = 0; c < classes; ++c) rows[0].push_back(fmt::format("predicted {}", shown_class(names, c)));
    for (std::size_t r = 0; r < classes; ++r) {
      rows.push_back({names.size() == classes ? shown_class(names, r) : fmt::format("class {}", r)});
      for (std::size_t c = 0; c < classes; ++c) {
        rows.back().push_back(fmt::format("{:.0f}", told.counts.rows[r][c]));
        if (!twin.rows.empty()) rows.back().back() += fmt::format(" ({:.0f})", twin.rows[r][c]);
      }
    }
    text += table(rows, 1);
  }
  return text;
}

}  // namespace tacit::launcher
