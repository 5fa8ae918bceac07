// The units of scaled columns, on shares. An output times the unit of its target is in the target's own unit. The first
// layer's weights times the inverse units of features read features in their own units.
//
// Fixed point has no exponent, and a unit may be 1e-9 or 1e9. Therefore a column's deviation is a number on shares times
// a power of two, and the power is revealed to every party (target_unit.h).
#pragma once

#include "gnn/arithmetic/target_unit.h"
#include "gnn/data/ownership.h"
#include "gnn/train/data_scale.h"

namespace tacit::gnn {

// Rows: with e the exponent of a column, (x - mean) / deviation = (x / 2^e - zero) · inverse.
struct FeatureUnit {
  Tensor inverse;              // 2^e / deviation, between 1/2 and 2; 0 for a constant column
  Tensor zero;                 // mean / 2^e
  std::vector<int> exponents;  // only parties know them
};

// `scale` has the statistics of columns at their owners, or on shares. Reveals the exponents to every party. Rounds: 1
// for columns that an owner knows, 7 for columns that owners of rows scaled together.
TargetUnit unit_of_targets(Arithmetic& arithmetic, const PartOwnership& labels, const DataScale& scale);
FeatureUnit unit_of_features(Arithmetic& arithmetic, const PartOwnership& features, const DataScale& scale);

}  // namespace tacit::gnn
