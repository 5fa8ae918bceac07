// TargetUnit — what 1 and 0 of a standardised target are in its own unit, on shares, for metrics and predictions.
//
// Fixed point has no exponent, and a unit may be 1e-9 or 1e9. So a column's deviation is shared as a number between 1/2
// and 1 times a power of two, and the power is revealed to every party ("magnitude of the targets' deviation", in the
// account of reveals). Whoever sees a metric or a prediction multiplies by the power in the clear: its relative error
// is the same in every unit. Nothing is shared, and no power revealed, where neither is revealed in the targets' unit.
#pragma once

#include <optional>
#include <vector>

#include "gnn/plan/training_plan.h"
#include "gnn/train/metric.h"

namespace tacit::gnn {

struct TargetUnit {
  Tensor unit;                 // a row: deviation / 2^exponent, at most 1
  Tensor zero;                 // a row: mean / 2^exponent
  std::vector<int> exponents;  // of each column; known to parties alone

  static constexpr int kUnitBits = 16;  // fraction bits of `unit`
  static constexpr double kLargestZero = 1 << 21;

  // All columns in the largest power of two among them: a row, at most 1. One local product, none for a single column.
  Measure::Unit common(Arithmetic& arithmetic) const;
};

// Whether a plan reveals anything in the targets' own unit.
bool tells_in_own_unit(const TrainingPlan& plan);

// deviation / 2^exponent is between 1/2 and 1. Both rows.
Matrix exponents_of(const Matrix& deviations);
Matrix times_powers(const Matrix& columns, const std::vector<int>& exponents);

// Reveals a row of whole numbers to every party; zeros at the dealer, and where nothing is computed.
std::vector<int> revealed_whole_numbers(mpc::Session& session, const mpc::Share& row, const std::string& reason);

// By the owner, of those of its targets that tell the scale: means may be 2^20 deviations from zero. Throws
// ConfigError; the numbers are in its local detail.
void check_unit(const Matrix& targets);

}  // namespace tacit::gnn
