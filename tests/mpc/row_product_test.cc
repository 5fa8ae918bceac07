// Row products are exact sums of products, for one dealt word a row.
#include "mpc/protocols/row_product.h"

#include <gtest/gtest.h>

#include <random>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/local.h"
#include "net/collectives/pack.h"
#include "tests/mpc/gathered_correlations.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

Matrix whole(Shape shape, int largest, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<int> uniform(-largest, largest);
  return Matrix::Zero(shape.rows, shape.cols).unaryExpr([&](double) { return static_cast<double>(uniform(random)); });
}

TEST(RowProduct, IsTheExactSumOfEachRow) {
  for (const Shape shape :
       {Shape{0, 3}, Shape{1, 1}, Shape{1, 65}, Shape{3, 0}, Shape{7, 5}, Shape{64, 1}, Shape{129, 3}}) {
    for (const int ring : {64, 48}) {
      const Matrix x = whole(shape, 1 << 10, 1), y = whole(shape, 1 << 8, 2);
      Matrix expected(shape.rows, 2);
      expected << x.cwiseProduct(y).rowwise().sum(), y.cwiseProduct(y).rowwise().sum();
      expect_everywhere(
          [&](Session& s) {
            const std::vector<Masked> m =
                mask(s, std::vector{input(s, 0, shape, {ring, 2}, &x, "x"),
                                    input(s, s.parties() - 1, shape, {ring - 3, 4}, &y, "y")});
            const Cost before = s.stated();
            const Share sums = row_product(s, m[0], m[1]);
            const Cost cost = s.stated() - before;
            EXPECT_EQ(cost.rounds, cost.made_rounds);
            EXPECT_EQ(cost.bytes, cost.made_bytes);
            EXPECT_EQ(cost.dealt_bytes,
                      cost.dealt_messages * (kDealtTagBytes + net::packed_bytes(shape.rows, ring - 3)));
            EXPECT_EQ(sums.format(), (Format{ring - 3, 6}));
            return beside(refine(sums, 8), row_product(s, m[1], m[1]));
          },
          expected);
    }
  }
}

TEST(RowProduct, TakesTransposedOperands) {
  const Matrix x = whole({5, 7}, 100, 1), y = whole({7, 5}, 100, 2);
  Matrix expected(5, 2);
  expected << x.cwiseProduct(y.transpose()).rowwise().sum(), y.transpose().cwiseAbs2().rowwise().sum();
  expect_everywhere(
      [&](Session& s) {
        const std::vector<Masked> m =
            mask(s, std::vector{input(s, 0, {5, 7}, {64, 0}, &x, "x"), input(s, 0, {7, 5}, {64, 0}, &y, "y")});
        return beside(row_product(s, m[0], m[1].transposed()), row_product(s, m[1].transposed(), m[1].transposed()));
      },
      expected);
}

// A sum that passes the ring on the way, and comes back.
TEST(RowProduct, IsRightForProductsBeyondTheRing) {
  Matrix x(2, 4), y(2, 4);
  constexpr double kMost = 1 << 20;
  x << kMost, kMost, 3, 0, -kMost, 7, 0, kMost;
  y << kMost, -kMost, 5, 9, kMost, 1, 0, kMost;
  Matrix expected(2, 1);
  expected << 15, 7;
  expect_everywhere(
      [&](Session& s) {
        const std::vector<Masked> m =
            mask(s, std::vector{input(s, 0, {2, 4}, {23, 0}, &x, "x"), input(s, 0, {2, 4}, {23, 0}, &y, "y")});
        return row_product(s, m[0], m[1]);
      },
      expected);
}

}  // namespace
}  // namespace tacit::mpc
