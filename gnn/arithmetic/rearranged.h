// Tensors with the elements of other tensors in other places, and sums of rows. Local: no rounds, nothing is opened.
#pragma once

#include <span>

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// All elements of all tensors, side by side in a row; |element| <= the largest of their bounds.
Tensor in_one_row(std::span<const Tensor> tensors);
// Back again: tensors with the shapes and names of `tensors`.
Tensors shaped_like(std::span<const Tensor> tensors, const Tensor& row);

// Next to each other; one below the other.
Tensor beside(std::span<const Tensor> tensors);
Tensor stacked(std::span<const Tensor> tensors);
// The columns begin … end - 1; watched as x is.
Tensor columns(const Tensor& x, std::int64_t begin, std::int64_t end);
// The rows begin … end - 1; watched as x is.
Tensor rows(const Tensor& x, std::int64_t begin, std::int64_t end);
// `rows` rows, each equal to `row`.
Tensor repeated(const Tensor& row, std::int64_t rows);
// Rows of x in other places: m has at most a single 1 in each row and column, and zeros elsewhere.
Tensor placed(Arithmetic& arithmetic, const mpc::SparseMatrix& m, const Tensor& x);

// The sum of each row, as a column.
Tensor row_sums(const Tensor& x, double bound);

}  // namespace tacit::gnn
