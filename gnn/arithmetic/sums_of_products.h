// Sums of products of two tensors, element by element: one dealt word for each pair of columns, however many rows.
//
// Rounds      1 if an operand is not masked yet, and 1 if one must be lifted
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// The sum of a·b over all elements, |sum| <= bound; over each column, a row.
Tensor sum_of_products(Arithmetic& arithmetic, const Tensor& a, const Tensor& b, double bound, const std::string& name);
Tensor column_sums_of_products(Arithmetic& arithmetic, const Tensor& a, const Tensor& b, double bound,
                               const std::string& name);

}  // namespace tacit::gnn
