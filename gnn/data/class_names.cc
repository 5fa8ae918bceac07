#include "gnn/data/class_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/labels.h"
#include "gnn/data/node_ids.h"
#include "gnn/data/similar_name.h"
#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostOfName = 60;  // characters of a name in a message

std::string shown(std::string_view name) { return fmt::format("\"{}\"", net::printable(name, kMostOfName)); }

// The class that a field has by its number. pandas writes 3.0 if any class is missing.
std::optional<std::int64_t> numbered(std::string_view field, std::int64_t below) {
  if (field.size() > 2 && field.ends_with(".0")) field.remove_suffix(2);
  if (field.empty() || field == "-1" || lower_case(field) == "nan") return kUnknownClass;
  return net::parse_decimal(field, 0, below - 1);
}

std::string_view trimmed(std::string_view field) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = field.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "";
  return field.substr(first, field.find_last_not_of(kSpace) + 1 - first);
}

}  // namespace

void check_class_names(std::span<const std::string> names) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name.size() > kMostClassNameBytes || !is_id(name) || name.find('\t') != std::string::npos) {
      throw ConfigError(
          fmt::format("the name of class {} is {}; expected text of 1 ... {} bytes of UTF-8 without control characters "
                      "and combining "
                      "marks",
                      i, shown(name), kMostClassNameBytes));
    }
    if (normalised_id(name).size() < name.size()) {
      throw ConfigError(
          fmt::format("the name of class {} is {}; write single spaces in it, and none at its ends", i, shown(name)));
    }
    if (numbered(name, ClassReader::kMostNumbered)) {
      throw ConfigError(fmt::format(
          "the name of class {} is {}, which a file could mean as a number or as no class; add a letter to it", i,
          shown(name)));
    }
    const auto [first, is_new] = known.emplace(name, i);
    if (!is_new)
      throw ConfigError(fmt::format("classes {} and {} have the same name, {}", first->second, i, shown(name)));
  }
}

std::optional<std::int64_t> class_named(std::span<const std::string> names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional<std::int64_t>(found - names.begin());
}

std::string name_of_class(std::span<const std::string> names, std::int64_t number) {
  if (number < 0 || number >= std::ssize(names)) return std::to_string(number);
  return names[static_cast<std::size_t>(number)];
}

std::string list_of(std::span<const std::string> names) {
  constexpr std::size_t kMostListed = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) {
    list += (i == 0 ? "" : ", ") + net::printable(names[i], kMostOfName);
  }
  return names.size() <= kMostListed ? list : fmt::format("{} and {} more", list, names.size() - kMostListed);
}

ClassReader::ClassReader(std::span<const std::string> names) : names_(names) {
  for (std::size_t i = 0; i < names.size(); ++i) numbers_.emplace(names[i], static_cast<std::int64_t>(i));
}

std::optional<std::int64_t> ClassReader::read(std::string_view field) const {
  field = trimmed(field);
  if (const auto found = numbers_.find(field); found != numbers_.end()) return found->second;
  return numbered(field, names_.empty() ? kMostNumbered : std::ssize(names_));
}

std::string ClassReader::expected() const {
  if (names_.empty()) {
    return fmt::format(
        "expected a whole number within 0 ... {}, or nothing if it is unknown; names of classes are read where the job "
        "lists them in data.class_names",
        kMostNumbered - 1);
  }
  return fmt::format(
      "expected one of the job's classes ({}), or a whole number within 0 ... {}, or nothing if it is unknown",
      list_of(names_), names_.size() - 1);
}

}  // namespace tacit::gnn
