// CleaningRules — the valid values of each column of a raw table, and the fate of a row with a missing or invalid value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tacit::gnn {

struct CleaningColumn {
  // A name is an id of a node. A split says train, validation (or val) or test.
  enum class Role { kFeature, kClass, kTarget, kName, kSplit };
  // The repair of a missing or invalid value. kUnlabelled, of a label: the row is kept without a label, in no mask. The last three
  // are statistics of the kept rows.
  enum class Repair { kDrop, kConstant, kUnlabelled, kMode, kMedian, kMean };
  struct Code {
    std::string text;
    double number = 0;
  };

  std::string name;
  Role role = Role::kFeature;
  std::vector<std::string> missing;  // besides an empty field; a number stands for all its spellings
  std::vector<Code> codes;           // the allowed values; empty: any finite number
  bool numeric_codes = true;         // other spellings of their numbers are allowed, too: 1.0 for 1
  std::optional<std::pair<double, double>> range;
  bool whole = false;    // whole numbers alone
  bool log = false;      // a feature is written as log(1 + x)
  bool one_hot = false;  // a feature is written as a column of 0 and 1 for each allowed number
  Repair repair = Repair::kDrop;
  double constant = 0;

  bool is_number() const { return codes.empty() && role != Role::kName; }
  bool uses_statistic() const { return repair >= Repair::kMode; }
};

// Shares of the rows, drawn by the seed and by the number of the row's line in the file.
struct CleaningSplit {
  double validation = 0, test = 0;
  std::uint64_t seed = 1;
};

struct CleaningRules {
  std::vector<CleaningColumn> columns;  // features are written in this order
  bool drop_other_columns = true;       // false: refuse a file with a column that has no rule
  bool drop_malformed = false;          // lines with another number of fields; false: refuse the file
  std::optional<CleaningSplit> split;

  bool use_statistics() const;
  // The column with a role; null: none. Not for features.
  const CleaningColumn* with(CleaningColumn::Role role) const;
};

// The codes of a column with the split: of training 0, of validation 1, of test 2.
std::vector<CleaningColumn::Code> split_codes();

inline constexpr std::size_t kMostCodes = 250;  // codes in a column
inline constexpr int kCleaningBins = 4096;      // of a column of numbers

// Throws ConfigError, which begins with the column's name.
void check(const CleaningRules& rules);

// A digest of everything in the rules, in hexadecimal digits.
std::string digest_text(const CleaningRules& rules);

}  // namespace tacit::gnn
