#include "launcher/data/cleaning_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "launcher/job/document.h"
#include "launcher/settings/nearest_name.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

using gnn::CleaningColumn;
using Entry = DocumentValue::Entry;
using Role = CleaningColumn::Role;
using Repair = CleaningColumn::Repair;

// A table of the rules, with its path for errors.
class RuleTable {
 public:
  RuleTable(const DocumentValue& value, std::string path) : value_(value), path_(std::move(path)) {
    if (value.table() == nullptr) refuse(value.source, path_, fmt::format("expected a table, not {}", describe(value)));
  }

  void expect_known(std::span<const std::string_view> keys) const {
    for (const Entry& entry : *value_.table()) {
      if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
      const std::string_view meant = nearest_name(entry.key, keys);
      refuse(entry.source, path_of(entry.key),
             meant.empty() ? fmt::format("there is no such rule; expected one of {}", fmt::join(keys, ", "))
                           : fmt::format("there is no such rule; did you mean {}?", meant));
    }
  }

  const Entry* find(std::string_view key) const { return value_.find(key); }
  const DocumentValue& value() const { return value_; }

  [[noreturn]] void wrong(const Entry& entry, std::string_view expected) const {
    refuse(entry.value.source, path_of(entry.key), fmt::format("expected {}, not {}", expected, describe(entry.value)));
  }
  [[noreturn]] void wrong(std::string_view what) const { refuse(value_.source, path_, what); }

  // The index of the word under a key; `otherwise` if the table lacks the key.
  std::size_t word(std::string_view key, std::span<const std::string_view> words, std::size_t otherwise) const {
    const Entry* entry = find(key);
    if (entry == nullptr) return otherwise;
    const auto* text = std::get_if<std::string>(&entry->value.content);
    const auto found = text == nullptr ? words.end() : std::find(words.begin(), words.end(), *text);
    if (found == words.end()) wrong(*entry, fmt::format("one of \"{}\"", fmt::join(words, "\", \"")));
    return static_cast<std::size_t>(found - words.begin());
  }

  bool flag(std::string_view key) const {
    const Entry* entry = find(key);
    if (entry == nullptr) return false;
    const bool* flag = std::get_if<bool>(&entry->value.content);
    if (flag == nullptr) wrong(*entry, "true or false");
    return *flag;
  }

  double number(std::string_view key, double otherwise) const {
    const Entry* entry = find(key);
    return entry == nullptr ? otherwise : number_in(*entry, entry->value);
  }

  double number_in(const Entry& entry, const DocumentValue& value) const {
    if (const auto* whole = std::get_if<std::int64_t>(&value.content)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value.content)) return *real;
    wrong(entry, "a number");
  }

  const DocumentValue::List* list(std::string_view key) const {
    const Entry* entry = find(key);
    if (entry == nullptr) return nullptr;
    const auto* list = std::get_if<DocumentValue::List>(&entry->value.content);
    if (list == nullptr) wrong(*entry, "a list");
    return list;
  }

 private:
  [[noreturn]] static void refuse(const Source& source, const std::string& path, std::string_view what) {
    throw ConfigError(path.empty() ? fmt::format("{}: {}", source.place(), what)
                                   : fmt::format("{}: {}: {}", source.place(), path, what));
  }
  std::string path_of(std::string_view key) const {
    return path_.empty() ? net::printable(key, 80) : fmt::format("{}.{}", path_, net::printable(key, 80));
  }

  const DocumentValue& value_;
  std::string path_;
};

// The text of a code in the rules, which may be a text or a number.
std::string code_text(const RuleTable& table, const Entry& entry, const DocumentValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.content)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value.content)) return fmt::format("{}", *whole);
  return fmt::format("{}", table.number_in(entry, value));
}

std::vector<std::string> missing_codes(const RuleTable& table) {
  std::vector<std::string> codes;
  if (const DocumentValue::List* list = table.list("missing")) {
    for (const DocumentValue& item : *list) codes.push_back(code_text(table, *table.find("missing"), item));
  }
  return codes;
}

void read_allowed(const RuleTable& table, CleaningColumn& column) {
  const Entry* entry = table.find("allowed");
  if (entry == nullptr) return;
  if (const DocumentValue::Table* codes = entry->value.table()) {
    column.numeric_codes = false;
    for (const Entry& code : *codes) column.codes.push_back({code.key, table.number_in(*entry, code.value)});
  } else {
    const DocumentValue::List& items = *table.list("allowed");
    const auto is_text = [](const DocumentValue& item) { return std::holds_alternative<std::string>(item.content); };
    const auto texts = std::count_if(items.begin(), items.end(), is_text);
    if (texts != 0 && texts != std::ssize(items)) table.wrong(*entry, "a list of numbers alone, or of texts alone");
    column.numeric_codes = texts == 0;
    for (const DocumentValue& item : items) {
      const double number = texts > 0 ? static_cast<double>(column.codes.size()) : table.number_in(*entry, item);
      column.codes.push_back({code_text(table, *entry, item), number});
    }
  }
  if (column.codes.empty()) table.wrong(*entry, "one code at least");
}

void read_range(const RuleTable& table, CleaningColumn& column) {
  const DocumentValue::List* range = table.list("range");
  if (range == nullptr) return;
  const Entry& entry = *table.find("range");
  if (range->size() != 2) table.wrong(entry, "the smallest and the largest number, as [0, 100]");
  column.range.emplace(table.number_in(entry, (*range)[0]), table.number_in(entry, (*range)[1]));
}

void read_repair(const RuleTable& table, CleaningColumn& column) {
  const bool drop = table.flag("drop");
  const bool unlabelled = table.flag("unlabelled");
  const bool impute = table.find("impute") != nullptr, constant = table.find("constant") != nullptr;
  const bool only_drops = column.role == Role::kName || column.role == Role::kSplit;
  const int repairs = drop + unlabelled + impute + constant;
  if (repairs != 1 && !(only_drops && repairs == drop)) {
    const bool label = column.role == Role::kClass || column.role == Role::kTarget;
    table.wrong(
        fmt::format("the column needs exactly one rule for a missing or invalid value: expected one of drop = true, "
                    "{}constant = 0 and impute = \"mode\", \"median\" or \"mean\"",
                    label ? "unlabelled = true, " : ""));
  }
  constexpr std::array<std::string_view, 3> kStatistics = {"mode", "median", "mean"};
  constexpr std::array<Repair, 3> kRepairs = {Repair::kMode, Repair::kMedian, Repair::kMean};
  if (impute) column.repair = kRepairs[table.word("impute", kStatistics, 0)];
  if (constant) column.repair = Repair::kConstant;
  if (unlabelled) column.repair = Repair::kUnlabelled;
  column.constant = table.number("constant", 0);
}

CleaningColumn read_column(const Entry& entry, const std::vector<std::string>& missing) {
  constexpr std::array<std::string_view, 11> kKeys = {"role",   "missing",  "allowed",    "range", "whole",  "drop",
                                                      "impute", "constant", "unlabelled", "log",   "one_hot"};
  constexpr std::array<std::string_view, 5> kRoles = {"feature", "class", "target", "name", "split"};
  const RuleTable table(entry.value, fmt::format("columns.{}", net::printable(entry.key, 80)));
  table.expect_known(kKeys);
  CleaningColumn column;
  column.name = entry.key;
  column.role = static_cast<Role>(table.word("role", kRoles, 0));
  column.missing = missing_codes(table);
  read_allowed(table, column);
  if (column.role == Role::kSplit) {
    if (table.find("allowed") != nullptr)
      table.wrong("a split has the codes train, validation and test; remove allowed");
    column.codes = gnn::split_codes();
    column.numeric_codes = false;
  }
  for (const std::string& code : missing) {
    const bool allowed =
        std::any_of(column.codes.begin(), column.codes.end(), [&](const auto& one) { return one.text == code; });
    if (!allowed) column.missing.push_back(code);
  }
  read_range(table, column);
  column.whole = table.flag("whole");
  column.log = table.flag("log");
  column.one_hot = table.flag("one_hot");
  read_repair(table, column);
  return column;
}

gnn::CleaningSplit read_split(const Entry& entry) {
  constexpr std::array<std::string_view, 3> kKeys = {"validation", "test", "seed"};
  const RuleTable table(entry.value, "split");
  table.expect_known(kKeys);
  gnn::CleaningSplit split{table.number("validation", 0), table.number("test", 0)};
  if (const Entry* seed = table.find("seed")) {
    const auto* whole = std::get_if<std::int64_t>(&seed->value.content);
    if (whole == nullptr || *whole < 0) table.wrong(*seed, "a whole number from 0");
    split.seed = static_cast<std::uint64_t>(*whole);
  }
  return split;
}

}  // namespace

gnn::CleaningRules load_cleaning_rules(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 5> kKeys = {"others", "malformed", "missing", "split", "columns"};
  constexpr std::array<std::string_view, 2> kChoices = {"refuse", "drop"};
  const DocumentValue document = load_document(path);
  const RuleTable table(document, "");
  table.expect_known(kKeys);
  gnn::CleaningRules rules;
  rules.drop_other_columns = table.word("others", kChoices, 0) == 1;
  rules.drop_malformed = table.word("malformed", kChoices, 0) == 1;
  const std::vector<std::string> missing = missing_codes(table);
  if (const Entry* split = table.find("split")) rules.split = read_split(*split);
  if (const Entry* columns = table.find("columns")) {
    const RuleTable all(columns->value, "columns");
    for (const Entry& column : *columns->value.table()) rules.columns.push_back(read_column(column, missing));
  }
  try {
    check(rules);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return rules;
}

}  // namespace tacit::launcher
