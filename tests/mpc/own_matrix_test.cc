// The product of a matrix that one party knows and a share is the exact product, and costs what it states.
#include "mpc/protocols/own_matrix.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/session/local.h"
#include "net/collectives/pack.h"
#include "tests/mpc/gathered_correlations.h"
#include "tests/mpc/run_program.h"
#include "tests/mpc/sparse_entries.h"

namespace tacit::mpc {
namespace {

Matrix whole_numbers(Shape shape, int largest, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<int> uniform(-largest, largest);
  return Matrix::Zero(shape.rows, shape.cols).unaryExpr([&](double) { return static_cast<double>(uniform(random)); });
}

struct OwnCase {
  Shape shape;
  double density;
  std::int64_t more;  // entries that are stated and not there
};

struct OwnProduct {
  SparseMatrix m;
  std::int64_t more;
  Matrix x;
};

Share as_column(const Share& a) { return reshaped(a, {a.shape().rows * a.shape().cols, 1}); }

// The products as columns, one below the other.
Matrix expected_columns(const std::vector<OwnProduct>& products) {
  std::vector<double> all;
  for (const OwnProduct& one : products) {
    const Matrix made = dense_of_quarters(one.m) * one.x;
    for (Eigen::Index r = 0; r < made.rows(); ++r) {
      for (Eigen::Index c = 0; c < made.cols(); ++c) all.push_back(made(r, c));
    }
  }
  return Eigen::Map<const Matrix>(all.data(), static_cast<Eigen::Index>(all.size()), 1);
}

// One session computes the products of all cases: without a dealer, the start of a session takes far longer than a product.
TEST(OwnMatrix, TimesAShareIsTheExactProduct) {
  constexpr OwnCase kCases[] = {{{1, 1}, 1, 0},      {{1, 1}, 0, 0},    {{5, 5}, 0.4, 0},  {{5, 5}, 1, 3},
                                {{9, 4}, 0.3, 2},    {{3, 11}, 0.5, 0}, {{1, 20}, 0.5, 1}, {{20, 1}, 0.5, 0},
                                {{40, 40}, 0.05, 7}, {{33, 33}, 0, 5}};
  std::vector<OwnProduct> products;
  for (const OwnCase& one : kCases) {
    for (const std::int64_t cols : {1, 3}) {
      products.push_back(
          {entries_in_quarters(one.shape, one.density, 3), one.more, whole_numbers({one.shape.cols, cols}, 1000, 4)});
    }
  }
  for (const int ring : {64, 41}) {
    expect_everywhere(
        [&](Session& s) {
          const int owner = s.parties() / 2;
          std::vector<Share> columns;
          for (const OwnProduct& one : products) {
            const OwnMatrix own = own_matrix(s, owner, one.m.shape, one.m.entries() + one.more, 2, &one.m);
            const Share made = matmul(s, own, input(s, 0, shape_of(one.x), {ring, 0}, &one.x, "x"));
            columns.push_back(as_column(made));
          }
          return stacked(columns);
        },
        expected_columns(products));
  }
}

TEST(OwnMatrix, StaysForManyProductsAndForItsTransposed) {
  const SparseMatrix m = entries_in_quarters({12, 7}, 0.3, 5);
  const SparseMatrix turned = m.transposed();
  const Matrix x = whole_numbers({7, 2}, 100, 6);
  const Matrix expected = dense_of_quarters(m) * (dense_of_quarters(m).transpose() * (dense_of_quarters(m) * x));
  expect_everywhere(
      [&](Session& s) {
        const int last = s.parties() - 1;
        const OwnMatrix own = own_matrix(s, last, m.shape, m.entries(), 2, &m);
        const OwnMatrix back = own_matrix(s, last, turned.shape, m.entries(), 2, &turned);
        return matmul(s, own, matmul(s, back, matmul(s, own, input(s, 0, {7, 2}, {64, 3}, &x, "x"))));
      },
      expected);
}

TEST(OwnMatrix, IsRightForSumsThatPassTheRing) {
  SparseMatrix m{{1, 3}, {0, 3}, {0, 1, 2}, {1, 1, 1}, 0};
  Matrix x(3, 1);
  constexpr double kMost = 1 << 20;
  x << kMost, kMost, -kMost - kMost + 5;
  Matrix expected(1, 1);
  expected << 5;
  expect_everywhere(
      [&](Session& s) {
        const OwnMatrix own = own_matrix(s, 0, m.shape, 3, 0, &m);
        return matmul(s, own, input(s, 0, {3, 1}, {23, 0}, &x, "x"));
      },
      expected);
}

TEST(OwnMatrix, CostsWhatItsCardStates) {
  const SparseMatrix m = entries_in_quarters({10, 10}, 0.2, 7);
  const Matrix x = whole_numbers({10, 3}, 100, 8);
  const std::int64_t most = m.entries() + 4, list = 10 + most;
  for (const int parties : {2, 3}) {
    run_parties(parties, [&](Session& s, int rank) {
      const Share of_x = input(s, 0, {10, 3}, {40, 0}, rank == 0 ? &x : nullptr, "x");
      const Cost begin = s.stated();
      const OwnMatrix own = own_matrix(s, 1, m.shape, most, 2, rank == 1 ? &m : nullptr);
      const Cost made = s.stated() - begin;
      matmul(s, own, of_x);
      const Cost product = s.stated() - begin - made;
      if (rank == parties) return;  // the dealer counts nothing
      EXPECT_EQ(made.rounds, 2);
      EXPECT_EQ(made.dealt_bytes, 0);
      EXPECT_EQ(product.rounds, 1);
      const std::int64_t rows = net::packed_bytes(list * 3, 40);
      EXPECT_EQ(product.bytes, rank == 1 ? 0 : 3 * rows);
      EXPECT_EQ(product.dealt_bytes, 3 * kDealtTagBytes + 3 * rows + net::packed_bytes(10 * 3, 40));
    });
  }
}

}  // namespace
}  // namespace tacit::mpc
