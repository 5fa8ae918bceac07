#include "gnn/clean/header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "net/printable.h"
#include "net/utf8.h"

namespace tacit::gnn {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string first_line(const ByteSource& file, std::int64_t& next) {
  std::string text(static_cast<std::size_t>(std::min(file.size(), kMostLineBytes)), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  if (text.empty()) file.place().wrong("the file is empty; expected the names of its columns");
  if (text[0] == '\xff' || text[0] == '\xfe')
    file.place().wrong("it is not UTF-8 but probably UTF-16; save it as UTF-8");
  const std::size_t end = text.find('\n');
  if (end == std::string::npos && file.size() > kMostLineBytes) {
    file.place().wrong(fmt::format("line 1 has more than {} bytes; expected the names of columns", kMostLineBytes));
  }
  next = end == std::string::npos ? file.size() : static_cast<std::int64_t>(end) + 1;
  text.resize(std::min(end, text.size()));
  if (text.ends_with('\r')) text.pop_back();
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

std::vector<std::string> names_in(std::string_view line, const Place& place) {
  std::vector<std::string> names;
  for (std::size_t at = 0;; ++at) {
    std::string& name = names.emplace_back();
    if (names.size() > kMostTableColumns) place.wrong(fmt::format("more than {} columns", kMostTableColumns));
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size())
          place.wrong("line 1: a quoted name has no end in the line; give the column a short name");
        if (line[at] == '"' && (at + 1 >= line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        name.push_back(line[at]);
      }
      ++at;
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      name = line.substr(at, end - at);
      at = end;
    }
    if (at >= line.size()) return names;
    if (line[at] != ',') place.wrong("line 1: text follows a quoted name; expected a comma");
  }
}

constexpr std::string_view kNotUtf8 = ". The line is not UTF-8: save the table as UTF-8";

// For a header that is one name because the table separates its fields, or ends its lines, in another way.
void expect_commas(const std::vector<std::string>& names, const Place& place) {
  if (names.size() == 1 && names[0].find_first_of(";\t|") != std::string::npos) {
    place.wrong(
        fmt::format("line 1: the names of the columns are not separated by commas: \"{}\"; save the table with commas "
                    "between its fields",
                    net::printable(names[0], 80)));
  }
  for (const std::string& name : names) {
    if (name.find('\r') == std::string::npos) continue;
    place.wrong("line 1: lines end with CR alone; expected LF, or CR and LF: save the table again with such line ends");
  }
}

}  // namespace

TableHeader read_header(const ByteSource& file, const CleaningRules& rules) {
  TableHeader header;
  const std::vector<std::string> names = names_in(first_line(file, header.data_begin), file.place());
  std::map<std::string_view, int> rule_of;
  for (std::size_t i = 0; i < rules.columns.size(); ++i) rule_of[rules.columns[i].name] = static_cast<int>(i);
  if (!names.empty() && !rule_of.contains(names.back())) expect_commas(names, file.place());
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!seen.emplace(names[i], i).second) {
      file.place().wrong(fmt::format("line 1: the column \"{}\" is there twice", net::printable(names[i], 80)));
    }
    const auto rule = rule_of.find(names[i]);
    if (rule == rule_of.end() && !rules.drop_other_columns) {
      file.place().wrong(fmt::format(
          "line 1: the column \"{}\" has no rule; add its table, or say others = \"drop\" to leave such columns out{}",
          net::printable(names[i], 80), net::is_utf8(names[i]) ? "" : kNotUtf8));
    }
    header.rules.push_back(rule == rule_of.end() ? -1 : rule->second);
  }
  for (const CleaningColumn& column : rules.columns) {
    if (seen.contains(column.name)) continue;
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    file.place().wrong(fmt::format("line 1: there is no column \"{}\", for which there are rules; the columns are {}{}",
                                   net::printable(column.name, 80), net::printable(all, 300),
                                   net::is_utf8(all) ? "" : kNotUtf8));
  }
  return header;
}

}  // namespace tacit::gnn
