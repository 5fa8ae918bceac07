// TargetUnit — the deviation and the mean of each standardised target in its own unit, on shares, for metrics and
// predictions.
//
// Fixed point has no exponent, and a unit may be 1e-9 or 1e9. Therefore a column's deviation is shared as a number
// between 1/2 and 1 times a power of two, and the power is revealed to every party ("magnitude of the targets'
// deviation", in the account of reveals). A rank that sees a metric or a prediction multiplies it by the power in the
// clear. The relative error is therefore the same in every unit.
#pragma once

#include <vector>

#include "gnn/arithmetic/error_sum.h"

namespace tacit::gnn {

struct TargetUnit {
  Tensor unit;                 // a row: deviation / 2^exponent, at most 1
  Tensor zero;                 // a row: mean / 2^exponent
  std::vector<int> exponents;  // a number for each column; only parties know them

  static constexpr double kLargestZero = 1 << 21;

  // All columns in the largest power of two among them: a row, at most 1. One local product, none for a single column.
  ErrorSum::Unit common(Arithmetic& arithmetic) const;
  // z · unit + zero for each column: predictions, less their exponents. One round, and one for a lift.
  Tensor of(Arithmetic& arithmetic, const Tensor& z) const;
};

// deviation / 2^exponent is between 1/2 and 1. Both rows.
Matrix exponents_of(const Matrix& deviations);
Matrix times_powers(const Matrix& columns, const std::vector<int>& exponents);

}  // namespace tacit::gnn
