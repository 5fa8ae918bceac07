// Bits of many samples of one run, a column for each, and whether columns tell anything of each other.
#pragma once

#include <iosfwd>
#include <vector>

#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {

using Column = std::vector<std::uint64_t>;  // one bit for each sample, 64 to the word

// Those of a tensor that has equally many words for each sample, one sample after the other.
void append_columns(const SeenWords& seen, std::int64_t samples, std::vector<Column>& columns);

// What uniform and independent bits do not have. Biases are in standard deviations.
struct Dependence {
  std::size_t sums = 0;  // columns that are sums of others, or of others and 1
  double bit = 0;        // the worst bias of one column,
  double pair = 0;       // of the sum of two,
  double some = 0;       // of sums of three and four, of which 40000 are tried
};
Dependence dependence_of(const std::vector<Column>& columns);

inline constexpr double kTooBiased = 7.5;  // once in 10^13: there are millions of pairs

inline bool independent(const Dependence& found) {
  return found.sums == 0 && found.bit < kTooBiased && found.pair < kTooBiased && found.some < kTooBiased;
}
std::ostream& operator<<(std::ostream& out, const Dependence& found);

}  // namespace tacit::mpc
