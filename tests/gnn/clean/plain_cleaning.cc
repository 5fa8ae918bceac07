#include "tests/gnn/clean/plain_cleaning.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace tacit::gnn {

namespace {

struct Record {
  std::vector<std::string> fields;
  std::int64_t at = 0;
  bool malformed = false;
};

// A machine with a state for each kind of place in a record.
bool split_into_records(const std::string& table, std::vector<Record>& records) {
  enum class State { kFieldBegins, kPlain, kQuoted, kQuoteSeen, kMalformed };
  State state = State::kFieldBegins;
  Record record;
  std::string field;
  const auto end_record = [&](std::size_t next) {
    if (state != State::kMalformed && !field.empty() && field.back() == '\r' && state == State::kPlain)
      field.pop_back();
    record.fields.push_back(field);
    record.malformed = state == State::kMalformed;
    const bool of_one_column = !records.empty() && records.front().fields.size() == 1;
    const bool empty =
        !of_one_column && !record.malformed && record.fields.size() == 1 && field.empty() && state != State::kQuoteSeen;
    if (!empty) records.push_back(record);
    record = {{}, static_cast<std::int64_t>(next), false};
    field.clear();
    state = State::kFieldBegins;
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char c = table[i];
    if (state == State::kQuoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < table.size() && table[i + 1] == '"') {
        field += '"';
        ++i;
      } else {
        state = State::kQuoteSeen;
      }
    } else if (c == '\n') {
      end_record(i + 1);
    } else if (state == State::kMalformed) {
      continue;
    } else if (c == ',') {
      record.fields.push_back(field);
      field.clear();
      state = State::kFieldBegins;
    } else if (state == State::kQuoteSeen) {
      if (!(c == '\r' && (i + 1 == table.size() || table[i + 1] == '\n'))) state = State::kMalformed;
    } else if (c == '"') {
      state = state == State::kFieldBegins ? State::kQuoted : State::kMalformed;
    } else {
      field += c;
      state = State::kPlain;
    }
  }
  if (state == State::kQuoted) return false;
  if (record.at < static_cast<std::int64_t>(table.size())) end_record(table.size());
  return true;
}

std::string without_spaces(std::string text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.erase(0, 1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
  return text;
}

std::optional<double> value_of(const CleaningColumn& column, const std::string& text) {
  if (text.empty() || std::count(column.missing.begin(), column.missing.end(), text) > 0) return std::nullopt;
  for (const auto& code : column.codes) {
    if (code.text == text) return code.number;
  }
  if (!column.codes.empty() && !column.numeric_codes) return std::nullopt;
  if (text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !std::isfinite(number)) return std::nullopt;
  const auto is_number = [&](const std::string& code) {
    char* code_end = nullptr;
    const double value = std::strtod(code.c_str(), &code_end);
    return !code.empty() && *code_end == '\0' && value == number;
  };
  if (std::any_of(column.missing.begin(), column.missing.end(), is_number)) return std::nullopt;
  if (!column.codes.empty()) {
    const bool allowed =
        std::any_of(column.codes.begin(), column.codes.end(), [&](const auto& code) { return code.number == number; });
    return allowed ? std::optional(number) : std::nullopt;
  }
  if (column.whole && number != std::trunc(number)) return std::nullopt;
  if (column.range && (number < column.range->first || number > column.range->second)) return std::nullopt;
  return number;
}

// The exact statistic; the engine rounds to a bin.
double statistic(const CleaningColumn& column, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  if (column.repair == CleaningColumn::Repair::kMedian) return values[(values.size() - 1) / 2];
  double sum = 0;
  std::map<double, int> counts;
  for (const double value : values) {
    sum += value;
    ++counts[value];
  }
  if (column.repair == CleaningColumn::Repair::kMean) return sum / static_cast<double>(values.size());
  double most = counts.begin()->first;
  for (const auto& [value, count] : counts) {
    if (count > counts[most]) most = value;
  }
  return most;
}

}  // namespace

PlainCleaning clean_plainly(const std::string& table, const CleaningRules& rules) {
  PlainCleaning clean;
  std::vector<Record> records;
  clean.refused = !split_into_records(table, records);
  if (clean.refused) return clean;
  const Record header = records.front();
  records.erase(records.begin());
  std::vector<std::vector<std::optional<double>>> kept;
  for (const Record& record : records) {
    ++clean.rows;
    if (record.malformed || record.fields.size() != header.fields.size()) {
      ++clean.malformed;
      continue;
    }
    std::vector<std::optional<double>> row;
    std::string name;
    bool drop = false;
    for (const CleaningColumn& column : rules.columns) {
      const auto at = std::find(header.fields.begin(), header.fields.end(), column.name) - header.fields.begin();
      const std::string text = without_spaces(record.fields[static_cast<std::size_t>(at)]);
      if (column.role == CleaningColumn::Role::kName) {
        name = text;
        drop = drop || text.empty() || std::count(column.missing.begin(), column.missing.end(), text) > 0;
        row.push_back(0);
        continue;
      }
      row.push_back(value_of(column, text));
      drop = drop || (!row.back() && column.repair == CleaningColumn::Repair::kDrop);
    }
    if (drop) continue;
    kept.push_back(row);
    clean.names.push_back(name);
    clean.at.push_back(record.at);
  }
  clean.refused = clean.malformed > 0 && !rules.drop_malformed;
  clean.x.resize(kept.size());
  for (std::size_t i = 0; i < rules.columns.size(); ++i) {
    const CleaningColumn& column = rules.columns[i];
    std::vector<double> values;
    for (const auto& row : kept) {
      if (row[i]) values.push_back(*row[i]);
    }
    const double other = column.uses_statistic() && !values.empty() ? statistic(column, values) : column.constant;
    for (std::size_t row = 0; row < kept.size(); ++row) {
      const double number = kept[row][i].value_or(other);
      if (column.role == CleaningColumn::Role::kFeature) clean.x[row].push_back(number);
      if (column.role == CleaningColumn::Role::kClass || column.role == CleaningColumn::Role::kTarget) {
        clean.y.push_back(number);
      }
    }
  }
  return clean;
}

}  // namespace tacit::gnn
