#include "gnn/clean/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string_view>

#include "gnn/clean/number_bins.h"
#include "gnn/data/similar_name.h"
#include "mpc/sealed/storage_key.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

using Role = CleaningColumn::Role;
using Repair = CleaningColumn::Repair;

[[noreturn]] void wrong(const CleaningColumn& column, std::string_view what) {
  throw ConfigError(fmt::format("columns.{}: {}", net::printable(column.name, 80), what));
}

bool allows(const CleaningColumn& column, double number) {
  if (!std::isfinite(number)) return false;
  if (!column.codes.empty()) {
    return std::any_of(column.codes.begin(), column.codes.end(),
                       [&](const auto& code) { return code.number == number; });
  }
  if (column.whole && std::floor(number) != number) return false;
  return !column.range || (number >= column.range->first && number <= column.range->second);
}

void check_codes(const CleaningColumn& column) {
  if (column.codes.size() > kMostCodes) wrong(column, fmt::format("allowed: at most {} codes", kMostCodes));
  std::set<std::string_view> texts;
  for (const auto& code : column.codes) {
    if (!std::isfinite(code.number)) wrong(column, "allowed: expected finite numbers");
    if (code.text.empty()) wrong(column, "allowed: an empty field is always missing");
    if (!texts.insert(code.text).second) {
      wrong(column, fmt::format("allowed: {} is there twice", net::printable(code.text, 40)));
    }
  }
  for (const std::string& text : column.missing) {
    if (texts.contains(text)) {
      wrong(column, fmt::format("{} is both allowed and missing; remove it from one list", net::printable(text, 40)));
    }
  }
}

void check_class(const CleaningColumn& column) {
  constexpr double kMostClasses = 1 << 20;
  const auto is_class = [](double number) {
    return std::floor(number) == number && number >= 0 && number < kMostClasses;
  };
  const bool whole_range =
      column.whole && column.range && is_class(column.range->first) && is_class(column.range->second);
  const bool whole_codes =
      !column.codes.empty() &&
      std::all_of(column.codes.begin(), column.codes.end(), [&](const auto& code) { return is_class(code.number); });
  if (!whole_range && !whole_codes) {
    wrong(column, "a class is a whole number from 0; state allowed = [0, 1], or whole = true and a range");
  }
  if (column.repair == Repair::kMean) wrong(column, "the mean of classes is not a class; choose mode or drop = true");
}

void check_written(const CleaningColumn& column) {
  if ((column.log || column.one_hot) && column.role != Role::kFeature) {
    wrong(column, fmt::format("{} = true is for features alone; remove it", column.log ? "log" : "one_hot"));
  }
  if (column.log && (!column.is_number() || !column.range || !(column.range->first >= 0))) {
    wrong(column, "log = true writes log(1 + x) of numbers from 0 on; state their range, as range = [0, 1e6]");
  }
  if (!column.one_hot) return;
  if (column.codes.empty()) {
    wrong(column, "one_hot = true writes a column for each allowed value; state them, as allowed = [\"a\", \"b\"]");
  }
  if (column.repair == Repair::kMedian || column.repair == Repair::kMean) {
    wrong(column, "one_hot = true has no column for a median or mean; choose mode, constant or drop = true");
  }
}

void check(const CleaningColumn& column) {
  check_codes(column);
  check_written(column);
  if (column.range) {
    const auto [low, high] = *column.range;
    if (!std::isfinite(low) || !std::isfinite(high) || !(low < high) || !std::isfinite(high - low)) {
      wrong(column, "range: expected two finite numbers, the smaller one first");
    }
    if (column.whole && (std::floor(low) != low || std::floor(high) != high)) {
      wrong(column, "range: expected whole numbers, as whole = true says");
    }
  }
  if (!column.codes.empty() && (column.range || column.whole)) {
    wrong(column, "state allowed codes, or a range of numbers, not both");
  }
  if (column.role == Role::kName || column.role == Role::kSplit) {
    if (column.repair != Repair::kDrop) wrong(column, "a row without it can only be dropped; say drop = true");
    return;
  }
  if (column.repair == Repair::kConstant && !allows(column, column.constant)) {
    const bool label = column.role == Role::kClass || column.role == Role::kTarget;
    wrong(column, fmt::format("constant: {} is no valid value of the column{}", column.constant,
                              label ? "; for rows without a label say unlabelled = true" : ""));
  }
  if (column.repair == Repair::kUnlabelled && column.role != Role::kClass && column.role != Role::kTarget) {
    wrong(column, "unlabelled: only a label may be unknown; give a feature a constant or a statistic");
  }
  if (column.uses_statistic() && column.is_number() && !column.range) {
    wrong(column, "a statistic of numbers needs their range, as range = [0, 100]");
  }
  if (column.role == Role::kClass) check_class(column);
  if (column.repair == Repair::kMode && column.is_number() && !counts_each(column)) {
    wrong(
        column,
        fmt::format(
            "the mode of numbers needs a count of each: say whole = true and a range of {} numbers at most, or choose "
            "median",
            kCleaningBins));
  }
}

void expect_one(const CleaningRules& rules, Role role, std::string_view what) {
  const auto count = std::count_if(rules.columns.begin(), rules.columns.end(),
                                   [role](const CleaningColumn& column) { return column.role == role; });
  if (count > 1) throw ConfigError(fmt::format("columns: {} are {}; expected one at most", count, what));
}

}  // namespace

bool CleaningRules::use_statistics() const {
  return std::any_of(columns.begin(), columns.end(), [](const auto& column) { return column.uses_statistic(); });
}

const CleaningColumn* CleaningRules::with(CleaningColumn::Role role) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [role](const auto& one) { return one.role == role; });
  return found == columns.end() ? nullptr : &*found;
}

std::vector<CleaningColumn::Code> split_codes() { return {{"train", 0}, {"validation", 1}, {"val", 1}, {"test", 2}}; }

void check(const CleaningRules& rules) {
  std::set<std::string_view> names;
  for (const CleaningColumn& column : rules.columns) {
    if (!names.insert(column.name).second) wrong(column, "the column is there twice");
    check(column);
  }
  for (const CleaningColumn& column : rules.columns) {
    for (const CleaningColumn::Code& code : column.codes) {
      if (!column.one_hot || !names.contains(fmt::format("{}={}", column.name, code.text))) continue;
      wrong(column,
            fmt::format("one_hot = true makes a column {}={}, and the table has one of this name; rename that one",
                        column.name, net::printable(code.text, 40)));
    }
  }
  expect_one(rules, Role::kClass, "the class");
  expect_one(rules, Role::kTarget, "the target");
  expect_one(rules, Role::kName, "the name");
  expect_one(rules, Role::kSplit, "the split");
  if (rules.with(Role::kClass) != nullptr && rules.with(Role::kTarget) != nullptr) {
    throw ConfigError("columns: there are a class and a target; expected one label");
  }
  if (std::all_of(rules.columns.begin(), rules.columns.end(),
                  [](const auto& one) { return one.role == Role::kName; })) {
    throw ConfigError("columns: no column is a feature, a label or a split");
  }
  if (!rules.split) return;
  const CleaningSplit& split = *rules.split;
  if (rules.with(Role::kSplit) != nullptr) {
    throw ConfigError("split: a column has the split already; remove one of them");
  }
  if (!(split.validation >= 0) || !(split.test >= 0) || !(split.validation + split.test < 1)) {
    throw ConfigError("split: expected shares from 0 with a sum below 1: rows to train on must be left");
  }
}

std::string digest_text(const CleaningRules& rules) {
  std::string all = fmt::format("{} {}\n", rules.drop_other_columns, rules.drop_malformed);
  if (rules.split) all += fmt::format("{} {} {}\n", rules.split->validation, rules.split->test, rules.split->seed);
  const auto add = [&all](const std::string& text) { all += fmt::format("{}:{} ", text.size(), text); };
  for (const CleaningColumn& column : rules.columns) {
    add(column.name);
    all += fmt::format("{} {} {} {} {} {} {}", static_cast<int>(column.role), static_cast<int>(column.repair),
                       column.constant, column.whole, column.numeric_codes, column.missing.size(), column.codes.size());
    for (const std::string& text : column.missing) add(text);
    for (const auto& code : column.codes) {
      add(code.text);
      all += fmt::format("{} ", code.number);
    }
    if (column.range) all += fmt::format("{} {}", column.range->first, column.range->second);
    if (column.log) all += " log";
    if (column.one_hot) all += " one_hot";
    all += '\n';
  }
  const mpc::Digest digest = mpc::digest_of(std::as_bytes(std::span(all)));
  std::string text;
  for (const auto byte : digest) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

}  // namespace tacit::gnn
