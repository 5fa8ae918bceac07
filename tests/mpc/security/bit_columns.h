// Bits of many samples of one run, one column for each bit, and tests for dependence between the
// columns.
#pragma once

#include <iosfwd>
#include <vector>

#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {

using Column = std::vector<std::uint64_t>;  // one bit for each sample, 64 to the word

// Appends the columns of a tensor that holds equally many words for each sample, one sample after
// the other.
void append_columns(const SeenWords& seen, std::int64_t samples, std::vector<Column>& columns);

// Deviations from uniform and independent bits. Biases are in standard deviations.
struct Dependence {
  std::size_t sums = 0;  // columns that are sums of others, or of others and 1
  double bit = 0;        // the worst bias of one column,
  double pair = 0;       // the worst bias of a sum of two columns,
  double some = 0;       // the worst bias of sums of three and four columns: 40000 are tried
};
Dependence dependence_of(const std::vector<Column>& columns);

inline constexpr double kTooBiased = 8.2;  // exceeded once in 10^15; there are millions of pairs

inline bool independent(const Dependence& found) {
  return found.sums == 0 && found.bit < kTooBiased && found.pair < kTooBiased && found.some < kTooBiased;
}
std::ostream& operator<<(std::ostream& out, const Dependence& found);

}  // namespace tacit::mpc
