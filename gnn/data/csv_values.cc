#include "gnn/data/csv_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "gnn/data/graph_data.h"
#include "gnn/data/similar_name.h"
#include "net/decimal.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

bool is_missing(std::string_view field) { return field.empty() || lower_case(field) == "nan"; }

}  // namespace

void wrong_field(const CsvReader& csv, std::size_t column, std::string_view what) {
  const std::string_view field = text_in(csv, column);
  if (field.empty()) csv.place(column).wrong(fmt::format("it is empty; {}", what));
  csv.place(column).wrong(what, fmt::format("it is \"{}\"", net::printable(field, 40)));
}

std::string_view text_in(const CsvReader& csv, std::size_t column) {
  std::string_view field = csv.field(column);
  while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) field.remove_prefix(1);
  while (!field.empty() && (field.back() == ' ' || field.back() == '\t')) field.remove_suffix(1);
  return field;
}

double number_in(const CsvReader& csv, std::size_t column) {
  std::string_view digits = text_in(csv, column);
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) wrong_field(csv, column, "it does not fit in a float64");
  if (error != std::errc() || end != digits.data() + digits.size()) {
    wrong_field(csv, column, "expected a number with a decimal point, for example -12.5 or 1e-3");
  }
  if (!std::isfinite(value)) wrong_field(csv, column, "it is not a finite number; fill in or remove what is missing");
  return value;
}

std::int64_t whole_in(const CsvReader& csv, std::size_t column, std::int64_t below) {
  const auto value = net::parse_decimal(text_in(csv, column), 0, below - 1);
  if (!value) wrong_field(csv, column, fmt::format("expected a whole number within 0 ... {}", below - 1));
  return *value;
}

double feature_in(const CsvReader& csv, std::size_t column, bool may_be_missing) {
  if (!is_missing(text_in(csv, column))) return number_in(csv, column);
  if (may_be_missing) return std::numeric_limits<double>::quiet_NaN();
  csv.place(column).wrong(fmt::format("it is missing{}", kRemedyOfMissingFeature));
}

double target_in(const CsvReader& csv, std::size_t column) {
  return is_missing(text_in(csv, column)) ? std::numeric_limits<double>::quiet_NaN() : number_in(csv, column);
}

std::int64_t class_in(const CsvReader& csv, std::size_t column, const ClassReader& classes) {
  const std::optional<std::int64_t> number = classes.read(text_in(csv, column));
  if (!number) wrong_field(csv, column, classes.expected());
  return *number;
}

bool flag_in(const CsvReader& csv, std::size_t column) {
  const std::string_view field = text_in(csv, column);
  for (const std::string_view yes : {"1", "true", "True", "TRUE"}) {
    if (field == yes) return true;
  }
  for (const std::string_view no : {"0", "false", "False", "FALSE"}) {
    if (field == no) return false;
  }
  wrong_field(csv, column, "expected 0, 1, true or false");
}

}  // namespace tacit::gnn
