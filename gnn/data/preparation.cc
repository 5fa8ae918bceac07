#include "gnn/data/preparation.h"

#include <fmt/format.h>

#include <cmath>

#include "gnn/data/labels.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// Largest deviation that rounding leaves in a constant column, relative to the column's values.
constexpr double kRoundingOfConstants = 1e-12;

}  // namespace

Matrix deviations(const Matrix& columns) {
  const Eigen::RowVectorXd mean = columns.colwise().mean();
  const auto rows = static_cast<double>(columns.rows());
  Matrix deviations = ((columns.rowwise() - mean).colwise().squaredNorm() / rows).cwiseSqrt();
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    if (std::isfinite(deviations(0, c))) continue;
    throw ConfigError(
        fmt::format("column {} holds numbers too large to be standardised; express it in a larger unit", c), "",
        "its part of the data holds numbers too large to be standardised; express them in a larger unit");
  }
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    const double largest = columns.rows() == 0 ? 0 : columns.col(c).cwiseAbs().maxCoeff();
    if (deviations(0, c) <= kRoundingOfConstants * largest) deviations(0, c) = 1;
  }
  return deviations;
}

Statistics statistics_of(const Matrix& columns) { return {columns.colwise().mean(), deviations(columns)}; }

Matrix filled(const Matrix& columns) {
  const Eigen::RowVectorXd counts = known(columns).colwise().sum();
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    if (counts(c) > 0 || columns.rows() == 0) continue;
    throw ConfigError(fmt::format("x, column {}: every feature is missing; leave the column out", c), "",
                      "has a column of features that are all missing; it must leave the column out");
  }
  return filled(columns, with_zeros_for_missing(columns).colwise().sum().array() / counts.array());
}

Matrix filled(const Matrix& columns, const Matrix& means) {
  return columns.array().isNaN().select(means.row(0).replicate(columns.rows(), 1), columns);
}

Matrix with_zeros_for_missing(const Matrix& columns) { return columns.array().isNaN().select(0, columns); }

Matrix known(const Matrix& columns) { return (!columns.array().isNaN()).cast<double>(); }

Matrix standardised(const Matrix& columns) { return standardised(columns, columns); }

Matrix standardised(const Matrix& columns, const Matrix& by) { return standardised(columns, statistics_of(by)); }

Matrix standardised(const Matrix& columns, const Statistics& by) {
  return (columns.rowwise() - by.mean.row(0)).array().rowwise() / by.deviation.row(0).array();
}

Matrix cut_at(const Matrix& columns, const std::optional<double>& most) {
  return most ? Matrix(columns.cwiseMax(-*most).cwiseMin(*most)) : columns;
}

Matrix root_mean_squares(const Matrix& columns) {
  Matrix roots = Matrix::Zero(1, columns.cols());
  if (columns.rows() == 0) return roots;
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    roots(0, c) = columns.col(c).stableNorm() / std::sqrt(static_cast<double>(columns.rows()));
  }
  return roots;
}

Matrix with_rows_of_sum_1(const Matrix& x) {
  Eigen::VectorXd sums = x.cwiseAbs().rowwise().sum();
  for (double& sum : sums) sum = sum == 0 ? 1 : sum;
  return x.array().colwise() / sums.array();
}

Matrix one_hot(const std::vector<std::int64_t>& classes, std::int64_t count) {
  Matrix y = Matrix::Zero(std::ssize(classes), count);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] != kUnknownClass) y(static_cast<Eigen::Index>(i), classes[i]) = 1;
  }
  return y;
}

}  // namespace tacit::gnn
