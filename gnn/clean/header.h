// TableHeader — the first line of a raw table: the columns, and the rule of each.
#pragma once

#include <cstdint>
#include <vector>

#include "gnn/clean/rules.h"
#include "gnn/data/byte_source.h"

namespace tacit::gnn {

inline constexpr std::int64_t kMostLineBytes = 1 << 20;  // of a record, with its line end
inline constexpr std::size_t kMostTableColumns = 100'000;

struct TableHeader {
  std::vector<int> rules;       // for each column of the file, the index of its rule; -1 without a rule
  std::int64_t data_begin = 0;  // in the file
};

// Throws ConfigError unless every rule has its column, and every column its rule if the rules say so.
TableHeader read_header(const ByteSource& file, const CleaningRules& rules);

}  // namespace tacit::gnn
