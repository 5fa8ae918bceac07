// Scaling across owners, on shares: of columns if each owner has some rows, and of rows if each owner has some columns.
//
// Owners of rows: every column goes to mean 0 and deviation 1. Each owner shares its rows, its part of the means, and
// its squared deviations from its own means. The distances of the owners' means from the common mean are squared on shares,
// so a large mean costs no precision. Owners of columns: every row goes to a sum of 1.
//
// Elements may be missing: each gets the mean of its column's known elements, then the column is scaled. The mean and the
// places of missing elements stay on shares. The number of each column's known elements, over all owners, is revealed: each
// owner divides by it before it shares. All owners but one, together, therefore learn the last owner's number. If this number
// is 0, they learn the mean, since it depends on their own elements alone.
//
// Requires    columns, which their owners have scaled by a public power of two: deviations between 2^-8 and 2^15 (2^13
//             if the caller asks for the deviations), values below 2^31; rows: sums between 2^-8 and 2^12
// Rounds      once a session: columns 16, or 17 if the watch is on and the range of features below 1000; cut columns 20;
//             rows 6; 3 more if elements may be missing
// Reveals     nothing; if elements may be missing, the number of each column's known elements, over all owners, to every party
// Error       relative: 2^-9, of one inverse root or reciprocal
#pragma once

#include <optional>

#include "gnn/arithmetic/target_unit.h"

namespace tacit::gnn {

// The rows of one owner; null in a process that does not hold them. Elements are NaN where they are missing.
struct OwnedRows {
  int rank = 0;
  std::int64_t rows = 0;
  const Matrix* mine = nullptr;
};

enum class Elements { kComplete, kMayBeMissing };
inline constexpr const char* kKnownFeatures = "known features of each column";  // the reason of the reveal

// Rows, one element for each column.
struct ColumnScale {
  mpc::Share mean;               // kRawBits fraction bits
  mpc::Share inverse_deviation;  // kInverseBits fraction bits
  mpc::Share deviation;          // kRawBits fraction bits

  static constexpr int kRawBits = 24;
  static constexpr int kInverseBits = 28;
};

// Throws ConfigError if a column has no known element.
ColumnScale scale_of_columns(Arithmetic& arithmetic, const std::vector<OwnedRows>& owners, std::int64_t columns,
                             Elements elements = Elements::kComplete);
// The deviations' powers of two are revealed to every party: a deviation below 2^-8 counts as 2^-8. Rounds 6.
TargetUnit unit_across_owners(Arithmetic& arithmetic, const ColumnScale& scale);

// The inverse deviations and the means of features, as rows, with powers of two that every party learns: inverse · 2^-e =
// 1 / deviation, zero · 2^e = mean. Rounds 6.
struct InverseUnit {
  Tensor inverse, zero;        // between 1/2 and 2, or 0 for a constant column; at most 2^21
  std::vector<int> exponents;  // e; only parties know them
};
InverseUnit inverse_unit_across_owners(Arithmetic& arithmetic, const ColumnScale& scale);

// (x - mean) / deviation as values, of raw x; cut at `cut` deviations, if it is given. `known`, of 0 and 1, is a
// column with an element for each row, or has an element for each element of x. x and the result are 0 where `known` is 0.
// One round more with it.
Tensor standardised(Arithmetic& arithmetic, const Tensor& x, const ColumnScale& scale,
                    const std::optional<double>& cut = std::nullopt, const std::optional<Tensor>& known = std::nullopt);

// The same for data that did not make the scale, |x| < 2^24, at any distance from the mean: the range watch finds every element
// that has no room in the result, from 2^10 to 2^33 deviations from the mean. 4 rounds more. If the watch is off, the result
// equals standardised().
Tensor standardised_other(Arithmetic& arithmetic, const Tensor& x, const ColumnScale& scale,
                          const std::optional<double>& cut, const std::optional<Tensor>& known = std::nullopt);

// Every row of x divided by its sum, |x| <= 1 afterwards. `sums` is a column of values.
Tensor divided_by_rows(Arithmetic& arithmetic, const Tensor& x, const Tensor& sums);

}  // namespace tacit::gnn
