// CleaningStatistics — the counts of the first pass over a raw table, in whole numbers: the sum over the pieces of a file
// does not depend on the cuts between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/clean/rules.h"
#include "gnn/clean/table_print.h"

namespace tacit::gnn {

struct ColumnStatistics {
  std::int64_t missing = 0, invalid = 0;  // in all well-formed rows
  std::int64_t dropped = 0;               // rows, by the first column for which a row is dropped
  std::int64_t imputed = 0;               // values, in kept rows
  std::int64_t sum = 0;                   // of kept values of a range, in units of 2^-30 of the range, from its low end
  std::vector<std::int64_t> counts;       // kept values by code or by bin; empty unless the column uses them
};

// The noise in sums over parties' tables (statistics_noise.h).
struct NoiseOnCounts {
  double deviation = 0;  // the standard deviation of the noise on a count of rows
  std::string session;   // 64 hexadecimal digits: the session that revealed the sums, as ledgers name it
  bool tree = true;  // bins for medians are fitted (count_tree.h); false: each has noise of its own, as in older files
};

// Bytes of a file that were counted, and how many lines begin there, without empty ones.
struct CountedRange {
  std::int64_t begin = 0, end = 0, lines = 0;
};

struct CleaningStatistics {
  std::string rules;                               // their digest_text()
  TablePrint table;                                // the counted lines; empty: unknown
  std::int64_t parties = 0;                        // number of parties with tables in this sum; 0: one table
  std::int64_t bytes = 0;                          // of the lines that were counted
  std::int64_t rows = 0, malformed = 0, kept = 0;  // rows: with malformed ones
  std::int64_t train = 0, validation = 0,
               test = 0;                  // 0 if they are drawn, and the lines before the range are not known
  std::vector<ColumnStatistics> columns;  // in the order of the rules
  std::vector<CountedRange> ranges;       // empty for a sum over parties, whose sizes are their own
  // Present in sums with noise: `kept` and the numbers of columns may then be negative, and need not fit together.
  std::optional<NoiseOnCounts> noise;

  CleaningStatistics() = default;
  explicit CleaningStatistics(const CleaningRules& of);

  // Throws ConfigError for statistics by other rules, or beyond 2^62.
  void add(const CleaningStatistics& other);
};

inline constexpr std::int64_t kMostStatisticsBytes = 64 << 20;

std::string text_of(const CleaningStatistics& statistics);
// Throws ConfigError. `name`: the file's, for errors.
CleaningStatistics parse_statistics(std::string_view text, const std::string& name);
// The same, and refuses statistics that were counted by other rules.
CleaningStatistics parse_statistics(std::string_view text, const CleaningRules& rules, const std::string& name);

// The number of bins of a column; 0 for a column without counts.
std::size_t bins_of(const CleaningColumn& column);
double number_of_bin(const CleaningColumn& column, std::size_t bin);
std::int64_t unit_of(const CleaningColumn& column, double number);  // a value in the units of `sum`

// The number that replaces a missing or invalid value, for each column. Throws ConfigError if a statistic of no value is
// needed. With noise, a number is always within the column's codes or range.
std::vector<double> replacements(const CleaningRules& rules, const CleaningStatistics& statistics);

}  // namespace tacit::gnn
