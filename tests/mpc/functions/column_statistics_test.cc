// Sums of squares, means and variances of columns, within their stated errors.
#include "mpc/functions/column_statistics.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/mpc/functions/evaluate.h"

namespace tacit::mpc {
namespace {

// Columns of different means and spreads, a constant one among them.
Matrix table(Shape shape, int fraction_bits) {
  Matrix x(shape.rows, shape.cols);
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    const double middle = c % 3 == 0 ? 0 : 3.0 * normal(random),
                 spread = c % 4 == 3 ? 0 : 0.5 * static_cast<double>(1 + c % 3);
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
      x(r, c) = std::ldexp(std::nearbyint(std::ldexp(middle + spread * normal(random), fraction_bits)), -fraction_bits);
    }
  }
  return x;
}

Matrix means(const Matrix& x) { return x.colwise().mean(); }
Matrix variances(const Matrix& x) { return (x.rowwise() - x.colwise().mean()).array().square().colwise().mean(); }

const Evaluated kSquares{sum_of_squares_by_column, sum_of_squares_by_column_cost};
const Evaluated kMeans{mean_by_column, {}};
const Evaluated kVariances{variance_by_column, variance_by_column_cost};

void expect_close(const Matrix& seen, const Matrix& exact, double units, int fraction_bits) {
  ASSERT_EQ(seen.rows(), 1);
  ASSERT_EQ(seen.cols(), exact.cols());
  for (Eigen::Index c = 0; c < exact.cols(); ++c) {
    const double unit = std::ldexp(1, -fraction_bits);
    EXPECT_LE(std::abs(seen(0, c) - exact(0, c)), units * unit + std::ldexp(std::abs(exact(0, c)), -13) + unit / 64);
  }
}

constexpr Shape kShapes[] = {{1, 1}, {3, 1}, {64, 5}, {50, 9}};

TEST(ColumnStatistics, AreWithinTheirErrorsAndCostWhatIsStated) {
  for (const Ring ring : kRings) {
    for (const Shape shape : kShapes) {
      const Format format{ring.k, ring.f};
      const Matrix x = table(shape, ring.f);
      const Matrix squares = x.array().square().colwise().sum();
      EXPECT_EQ(in_the_clear(kSquares, x, format), squares);
      expect_close(in_the_clear(kMeans, x, format), means(x), 1, ring.f);
      expect_close(in_the_clear(kVariances, x, format), variances(x), 1, ring.f);
      for (const int n : kParties) {
        EXPECT_EQ(by_parties(n, kSquares, x, format), squares);
        expect_close(by_parties(n, kMeans, x, format), means(x), rounding(n), ring.f);
        expect_close(by_parties(n, kVariances, x, format), variances(x), rounding(n), ring.f);
      }
    }
  }
}

TEST(ColumnStatistics, OfManyRowsHold) {
  const Matrix x = table({5000, 6}, 13);
  expect_close(in_the_clear(kMeans, x, {64, 13}), means(x), 1, 13);
  expect_close(in_the_clear(kVariances, x, {64, 13}), variances(x), 1, 13);
}

TEST(ColumnStatistics, OfNoRowsSumToZero) {
  EXPECT_EQ(by_parties(3, kSquares, Matrix(0, 4), {64, 13}), Matrix(Matrix::Zero(1, 4)));
}

}  // namespace
}  // namespace tacit::mpc
