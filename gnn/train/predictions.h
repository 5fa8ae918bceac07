// Predictions — what a model's outputs say, on shares.
#pragma once

#include <optional>

#include "gnn/tensor/arithmetic.h"

namespace tacit::gnn {

// 1 in the column of each row's largest element, else 0; of equal ones the first. Without fraction bits, with room for
// a sum over all rows. 3 rounds, 4 beyond 7 columns.
Tensor largest_in_rows(Arithmetic& arithmetic, const Tensor& z);
// Its column's number.
mpc::Share likeliest_classes(Arithmetic& arithmetic, const Tensor& z);

// z · unit + zero for each column, where there are such rows. One round, and one for a lift.
mpc::Share in_own_unit(Arithmetic& arithmetic, const Tensor& z, const std::optional<Tensor>& unit,
                       const std::optional<Tensor>& zero);

// What a target's deviation and its mean may be, in its own unit.
inline constexpr double kLargestUnit = 1 << 12;
inline constexpr double kLargestZero = 1 << 20;
// By the owner, of those of its own that tell the scale. Throws ConfigError; the numbers are in its local detail.
void check_unit(const Matrix& targets);

}  // namespace tacit::gnn
