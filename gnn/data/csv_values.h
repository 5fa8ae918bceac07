// Parsers for the fields of a CSV record. The user's locale has no influence.
#pragma once

#include <cstdint>
#include <string_view>

#include "gnn/data/csv.h"

namespace tacit::gnn {

// Spaces and tabs around a value are ignored. Each parser throws ConfigError with the place. The
// text of the field goes into the local detail of the error.
double number_in(const CsvReader& csv, std::size_t column);                           // finite
std::int64_t whole_in(const CsvReader& csv, std::size_t column, std::int64_t below);  // 0 … below - 1
bool flag_in(const CsvReader& csv, std::size_t column);  // 0, 1, true, false; True and False, as pandas writes them
std::string_view text_in(const CsvReader& csv, std::size_t column);  // may be empty

// Throws the error of the parsers.
[[noreturn]] void wrong_field(const CsvReader& csv, std::size_t column, std::string_view what);

}  // namespace tacit::gnn
