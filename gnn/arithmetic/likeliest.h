// The likeliest class of each row of a model's outputs (argmax).
//
// Rounds      3; 4 beyond 7 columns; 1 more where z must be lifted
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// 1 in the column of each row's largest element, else 0; the first of equal ones. Whole numbers, with room for a sum
// over all rows.
Tensor largest_in_rows(Arithmetic& arithmetic, const Tensor& z);
// The numbers of the columns with the `count` largest elements of each row, the largest first: a column for each.
// Rounds: as above, for each of the `count` columns.
Tensor likeliest_classes(Arithmetic& arithmetic, const Tensor& z, std::int64_t count = 1);

}  // namespace tacit::gnn
