// Row products are exact sums of products, for one dealt word a row.
#include "mpc/protocols/row_product.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

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

struct RowOperands {
  Shape shape;
  int ring;
  Matrix x, y;
};

// The sums of x y and of y y in each row, side by side.
Share sums_of(Session& s, const RowOperands& one) {
  const std::vector<Masked> m =
      mask(s, std::vector{input(s, 0, one.shape, {one.ring, 2}, &one.x, "x"),
                          input(s, s.parties() - 1, one.shape, {one.ring - 3, 4}, &one.y, "y")});
  const Cost before = s.stated();
  const Share sums = row_product(s, m[0], m[1]);
  const Cost cost = s.stated() - before;
  EXPECT_EQ(cost.rounds, cost.made_rounds);
  EXPECT_EQ(cost.bytes, cost.made_bytes);
  EXPECT_EQ(cost.dealt_bytes, cost.dealt_messages * (kDealtTagBytes + net::packed_bytes(one.shape.rows, one.ring - 3)));
  EXPECT_EQ(sums.format(), (Format{one.ring - 3, 6}));
  return beside(refine(sums, 8), row_product(s, m[1], m[1]));
}

// One session computes all shapes: without a dealer, the start of a session takes far longer than a product.
TEST(RowProduct, IsTheExactSumOfEachRow) {
  for (const int ring : {64, 48}) {
    std::vector<RowOperands> cases;
    std::int64_t rows = 0;
    for (const Shape shape :
         {Shape{0, 3}, Shape{1, 1}, Shape{1, 65}, Shape{3, 0}, Shape{7, 5}, Shape{64, 1}, Shape{129, 3}}) {
      cases.push_back({shape, ring, whole(shape, 1 << 10, 1), whole(shape, 1 << 8, 2)});
      rows += shape.rows;
    }
    Matrix expected(rows, 2);
    rows = 0;
    for (const RowOperands& one : cases) {
      expected.middleRows(rows, one.shape.rows) << one.x.cwiseProduct(one.y).rowwise().sum(),
          one.y.cwiseAbs2().rowwise().sum();
      rows += one.shape.rows;
    }
    expect_everywhere(
        [&](Session& s) {
          std::vector<Share> sums;
          for (const RowOperands& one : cases) sums.push_back(sums_of(s, one));
          return stacked(sums);
        },
        expected);
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
