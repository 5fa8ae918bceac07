// What an owner does with its data before they are shared: whole columns to mean 0 and deviation 1, classes to columns.
#pragma once

#include <optional>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// The deviation of each column, as a row. A constant column has 1: standardised it is zero, and its unit is its own.
Matrix deviations(const Matrix& columns);
Matrix standardised(const Matrix& columns);
// By the means and the deviations of other rows.
Matrix standardised(const Matrix& columns, const Matrix& by);

// What is further from zero is moved to this distance from it, if any is named.
Matrix cut_at(const Matrix& columns, const std::optional<double>& most);

// Of each column, as a row.
Matrix root_mean_squares(const Matrix& columns);

// Rows of zeros stay.
Matrix with_rows_of_sum_1(const Matrix& x);

// 1 in the column of each node's class, 0 elsewhere.
Matrix one_hot(const std::vector<std::int64_t>& classes, std::int64_t count);

}  // namespace tacit::gnn
