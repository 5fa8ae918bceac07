// Parsers for the fields of a CSV record. The user's locale has no influence.
#pragma once

#include <cstdint>
#include <string_view>

#include "gnn/data/class_names.h"
#include "gnn/data/csv.h"

namespace tacit::gnn {

// Spaces and tabs around a value are ignored. Each parser throws ConfigError with the place. The
// text of the field goes into the local detail of the error.
double number_in(const CsvReader& csv, std::size_t column);                           // finite
double feature_in(const CsvReader& csv, std::size_t column, bool may_be_missing);     // NaN if it is missing
std::int64_t whole_in(const CsvReader& csv, std::size_t column, std::int64_t below);  // 0 … below - 1
// The same; an unknown label is an empty field, "nan", or -1 for a class.
double target_in(const CsvReader& csv, std::size_t column);                                   // or NaN
std::int64_t class_in(const CsvReader& csv, std::size_t column, const ClassReader& classes);  // or kUnknownClass
bool flag_in(const CsvReader& csv, std::size_t column);  // 0, 1, true, false; True and False, as pandas writes them
std::string_view text_in(const CsvReader& csv, std::size_t column);  // may be empty

// Throws the error of the parsers.
[[noreturn]] void wrong_field(const CsvReader& csv, std::size_t column, std::string_view what);

}  // namespace tacit::gnn
