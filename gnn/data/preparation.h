// Preparation of data by its owner before sharing: missing elements, standardised columns, clipping, one-hot classes.
#pragma once

#include <optional>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// The standard deviation of each column, as a row. A constant column has 1, so that standardising
// it gives zeros.
Matrix deviations(const Matrix& columns);

// The mean and the standard deviation of each column, as rows.
struct Statistics {
  Matrix mean, deviation;

  bool empty() const { return mean.size() == 0; }
};
Statistics statistics_of(const Matrix& columns);

// The columns with the mean of a column's known elements in place of each NaN. Throws ConfigError if a column has none.
Matrix filled(const Matrix& columns);
// The same with other means, a row.
Matrix filled(const Matrix& columns, const Matrix& means);
Matrix with_zeros_for_missing(const Matrix& columns);
// 1 for each known element, and 0 for each NaN.
Matrix known(const Matrix& columns);

Matrix standardised(const Matrix& columns);
Matrix standardised(const Matrix& columns, const Statistics& by);
// Standardises `columns` by the means and deviations of the rows of `by`.
Matrix standardised(const Matrix& columns, const Matrix& by);

// Clips values to [-most, most] if a limit is given.
Matrix cut_at(const Matrix& columns, const std::optional<double>& most);

// The root of the mean square of each column, as a row.
Matrix root_mean_squares(const Matrix& columns);

// Scales each row to a sum of absolute values of 1. Rows of zeros stay.
Matrix with_rows_of_sum_1(const Matrix& x);

// A matrix with 1 in the column of each node's class, and 0 elsewhere. The row of an unknown class is 0.
Matrix one_hot(const std::vector<std::int64_t>& classes, std::int64_t count);

}  // namespace tacit::gnn
