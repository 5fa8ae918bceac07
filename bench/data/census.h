// Census — raw records of people, made from a seed: a table of 12 columns with missing and invalid codes, for `tacit
// data clean`, and the rules that clean it. The task is to predict employment.
//
// The codes are a survey's: 1 to 5 for the marital state, 1 to 6 for work. After cleaning there are ten columns of 0
// and 1. The chance that a person is employed is a sum over the person's columns, cut at 0.02 and 0.98, so the best
// possible accuracy is known.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tacit::gnn {

struct CensusOptions {
  std::int64_t records = 10'000;
  std::uint64_t seed = 1;
};

// Computed from the probabilities, not from the drawn records.
struct CensusChances {
  double employed = 0;      // the commoner answer
  double best = 0;          // the accuracy of the best answer for each person
  double best_cleaned = 0;  // the same, from the columns after cleaning by census_rules()
};

CensusChances census_chances();

// Calls `sink` with the table's text, in order, in pieces. Throws ConfigError.
void make_census(const CensusOptions& options, const std::function<void(std::string_view)>& sink);

// The rules for `tacit data clean`: constants are imputed, and 10 % of the rows each are for validation and test.
std::string census_rules();

}  // namespace tacit::gnn
