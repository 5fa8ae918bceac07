#include "gnn/clean/record_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "gnn/data/node_ids.h"
#include "net/utf8.h"

namespace tacit::gnn {

namespace {

using Role = CleaningColumn::Role;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t";
  const std::size_t first = std::min(text.find_first_not_of(kSpaces), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

std::optional<double> number_of(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

constexpr bool ends_field(char c) { return c == ',' || c == '\n' || c == '"'; }

}  // namespace

RecordParser::RecordParser(const CleaningRules& rules, const std::vector<int>& rule_of)
    : rules_(rules),
      columns_(rule_of.size()),
      found_(rules.columns.size()),
      numbers_(rules.columns.size()),
      missing_numbers_(rules.columns.size()),
      utf8_(rules.columns.size(), true) {
  for (std::size_t rule = 0; rule < rules.columns.size(); ++rule) {
    const CleaningColumn& column = rules.columns[rule];
    if (column.role == Role::kName || !(column.is_number() || column.numeric_codes)) continue;
    for (const std::string& code : column.missing) {
      if (const std::optional<double> number = number_of(code)) missing_numbers_[rule].push_back(*number);
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    column.rule = rule_of[i];
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      Found& found = column.single[static_cast<std::size_t>(byte)];
      found = kAsk;
      if (ends_field(c) || c == '\r' || byte >= 0x80 || column.rule < 0) continue;
      const CleaningColumn& rule = rules_.columns[static_cast<std::size_t>(column.rule)];
      if (rule.is_number() || rule.role == Role::kName) continue;
      found = resolve(column.rule, std::string_view(&c, 1));
    }
  }
}

RecordParser::Verdict RecordParser::read(const char*& at, const char* end, bool quoted_lines) {
  complete_ = true;
  if (const char* line_end = at + (*at == '\r'); *line_end == '\n' && columns_.size() > 1) {
    at = line_end + 1;
    return Verdict::kEmptyLine;
  }
  const char* plain = at;
  if (read_plain(plain)) {
    at = plain;
    return Verdict::kRow;
  }
  complete_ = true;
  return read_any(at, end, quoted_lines);
}

// False for a line with quotes, or with another number of fields. Every line ends in '\n', so no byte beyond it is read.
bool RecordParser::read_plain(const char*& at) {
  const char* p = at;
  const std::size_t last = columns_.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const Column& column = columns_[i];
    const char stop = i < last ? ',' : '\n';
    if (column.rule >= 0) {
      const Found one = column.single[static_cast<unsigned char>(*p)];
      if (one != kAsk && p[1] == stop) {
        found_[static_cast<std::size_t>(column.rule)] = one;
        complete_ = complete_ && one >= kNumber;
        p += 2;
        continue;
      }
    }
    const char* q = p;
    while (!ends_field(*q)) ++q;
    if (*q != stop) return false;
    if (column.rule >= 0)
      take(column.rule, {p, static_cast<std::size_t>(q - p) - (i == last && q > p && q[-1] == '\r')});
    p = q + 1;
  }
  at = p;
  return true;
}

RecordParser::Verdict RecordParser::read_any(const char*& at, const char* end, bool quoted_lines) {
  const char* p = at;
  const auto malformed = [&] {
    at = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
    return Verdict::kMalformed;
  };
  for (std::size_t i = 0;; ++i) {
    std::string_view field;
    if (*p == '"') {
      unquoted_.clear();
      for (++p;; ++p) {
        if (p == end || (*p == '\n' && !quoted_lines)) return Verdict::kUnfinished;
        if (*p == '"' && (p + 1 == end || p[1] != '"')) break;
        if (*p == '"') ++p;
        unquoted_.push_back(*p);
      }
      ++p;
      if (*p == '\r' && p[1] == '\n') ++p;
      if (*p != ',' && *p != '\n') return malformed();
      field = unquoted_;
    } else {
      const char* begin = p;
      while (!ends_field(*p)) ++p;
      if (*p == '"') return malformed();
      field = {begin, static_cast<std::size_t>(p - begin) - (*p == '\n' && p > begin && p[-1] == '\r')};
    }
    if (i < columns_.size() && columns_[i].rule >= 0) take(columns_[i].rule, field);
    if (*p++ == ',') continue;
    at = p;
    return i + 1 == columns_.size() ? Verdict::kRow : Verdict::kMalformed;
  }
}

RecordParser::Found RecordParser::resolve(int rule, std::string_view text) {
  const CleaningColumn& column = rules_.columns[static_cast<std::size_t>(rule)];
  text = trimmed(text);
  if (text.empty() || std::find(column.missing.begin(), column.missing.end(), text) != column.missing.end()) {
    return kMissing;
  }
  if (column.role == Role::kName) {
    if (!is_id(text)) return kInvalid;
    name_ = text;
    return kNumber;
  }
  const auto code_where = [&](const auto& matches) {
    const auto code = std::find_if(column.codes.begin(), column.codes.end(), matches);
    return code == column.codes.end() ? kInvalid : static_cast<Found>(kFirstCode + (code - column.codes.begin()));
  };
  if (!column.codes.empty()) {
    const Found exact = code_where([text](const auto& code) { return code.text == text; });
    if (exact != kInvalid || !column.numeric_codes) return exact;
  }
  const std::optional<double> number = number_of(text);
  if (!number) return kInvalid;
  const std::vector<double>& missing = missing_numbers_[static_cast<std::size_t>(rule)];
  if (std::find(missing.begin(), missing.end(), *number) != missing.end()) return kMissing;
  if (!column.codes.empty()) return code_where([&](const auto& code) { return code.number == *number; });
  if (column.whole && std::floor(*number) != *number) return kInvalid;
  if (column.range && (*number < column.range->first || *number > column.range->second)) return kInvalid;
  numbers_[static_cast<std::size_t>(rule)] = *number;
  return kNumber;
}

void RecordParser::take(int rule, std::string_view text) {
  const Found found = resolve(rule, text);
  found_[static_cast<std::size_t>(rule)] = found;
  if (found == kInvalid) utf8_[static_cast<std::size_t>(rule)] = net::is_utf8(text);
  complete_ = complete_ && found >= kNumber;
}

}  // namespace tacit::gnn
