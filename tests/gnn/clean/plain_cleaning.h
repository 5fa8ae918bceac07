// A plain reference for Cleaning: the whole table in memory, one character at a time, no pieces, no tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnn/clean/rules.h"

namespace tacit::gnn {

struct PlainCleaning {
  bool refused = false;  // malformed lines that the rules refuse, or a quoted field without an end
  std::int64_t rows = 0, malformed = 0;
  std::vector<std::vector<double>> x;
  std::vector<double> y;
  std::vector<std::string> names;
  std::vector<std::int64_t> at;  // places in the file at which the kept rows begin
};

// Constants and statistics are imputed; a split is left to the caller.
PlainCleaning clean_plainly(const std::string& table, const CleaningRules& rules);

}  // namespace tacit::gnn
