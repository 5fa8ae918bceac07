// What a field of a CSV record says: always the same, whatever the user's locale.
#pragma once

#include <cstdint>
#include <string_view>

#include "gnn/data/csv.h"

namespace tacit::gnn {

// Blanks around a value are no part of it. Each throws ConfigError with the place; what stands there goes into the
// local detail.
double number_in(const CsvReader& csv, std::size_t column);                           // finite
std::int64_t whole_in(const CsvReader& csv, std::size_t column, std::int64_t below);  // 0 … below - 1
bool flag_in(const CsvReader& csv, std::size_t column);  // 0, 1, true, false; True and False as pandas writes
std::string_view text_in(const CsvReader& csv, std::size_t column);  // perhaps empty

// What the three throw.
[[noreturn]] void wrong_field(const CsvReader& csv, std::size_t column, std::string_view what);

}  // namespace tacit::gnn
