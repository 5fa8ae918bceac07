// ClassNames — the names of a job's classes, in the order of their numbers. They are public: the job states them.
//
// A file may have a class by its name or by its number. Therefore no name reads as a number, or as the sign of an unknown
// class.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tacit::gnn {

using ClassNames = std::vector<std::string>;  // empty: the classes have numbers alone

inline constexpr std::size_t kMostClassNameBytes = 100;

// Throws ConfigError unless each name is 1 to 100 bytes of UTF-8 by the rules of ids (node_ids.h), has single plain spaces
// and none at its ends, and no two names are the same.
void check_class_names(std::span<const std::string> names);

// The number of the class with this name.
std::optional<std::int64_t> class_named(std::span<const std::string> names, std::string_view name);
// The name of a class, or the number as text if there are too few names.
std::string name_of_class(std::span<const std::string> names, std::int64_t number);
// For a message: "licit, fraud", and of many names the first ones.
std::string list_of(std::span<const std::string> names);

// Reads the classes of a file, by name or by number.
class ClassReader {
 public:
  // The names must outlive it. Without names, a class is a whole number below kMostNumbered.
  explicit ClassReader(std::span<const std::string> names);

  // The number of the class in a field of text; kUnknownClass for an empty field, "nan" or -1. Empty: the field is invalid.
  std::optional<std::int64_t> read(std::string_view field) const;
  std::string expected() const;  // for an error: the valid fields

  static constexpr std::int64_t kMostNumbered = std::int64_t{1} << 31;

 private:
  std::span<const std::string> names_;
  std::unordered_map<std::string_view, std::int64_t> numbers_;
};

}  // namespace tacit::gnn
