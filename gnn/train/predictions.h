// Predictions — what a model's outputs say, on shares.
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// 1 in the column of each row's largest element, else 0; of equal ones the first. Without fraction bits, with room for
// a sum over all rows. 3 rounds, 4 beyond 7 columns.
Tensor largest_in_rows(Arithmetic& arithmetic, const Tensor& z);
// Its column's number.
mpc::Share likeliest_classes(Arithmetic& arithmetic, const Tensor& z);

// z · unit + zero for each column, by the rows of target_unit.h: in the power of two of its unit. One round,
// and one for a lift.
mpc::Share in_own_unit(Arithmetic& arithmetic, const Tensor& z, const Tensor& unit, const Tensor& zero);

}  // namespace tacit::gnn
