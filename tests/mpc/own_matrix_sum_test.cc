// The product of several owners' matrices and one share is the exact sum of all products, in one round.
#include "mpc/protocols/own_matrix_sum.h"

#include <gtest/gtest.h>

#include <random>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "net/collectives/pack.h"
#include "tests/mpc/run_program.h"
#include "tests/mpc/sparse_entries.h"

namespace tacit::mpc {
namespace {

// Every `step`-th rank owns a matrix; rank 1's has no entries.
std::vector<SparseMatrix> of_all_owners(Shape shape, double density, int parties, int step) {
  std::vector<SparseMatrix> all;
  for (int rank = 0; rank < parties; rank += step) {
    all.push_back(entries_in_quarters(shape, rank == 1 ? 0 : density, static_cast<unsigned>(rank) + 17));
  }
  return all;
}

Matrix numbers_of(Shape shape) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int> uniform(-1000, 1000);
  return Matrix::Zero(shape.rows, shape.cols).unaryExpr([&](double) { return static_cast<double>(uniform(random)); });
}

struct SumCase {
  Shape shape;
  double density;
  std::int64_t more;  // entries that are stated and not there
};

TEST(OwnMatrixSum, IsTheExactSumOfAllProducts) {
  for (const SumCase& one : {SumCase{{1, 1}, 1, 0}, SumCase{{5, 5}, 1, 3}, SumCase{{9, 4}, 0.3, 2},
                             SumCase{{3, 11}, 0.5, 0}, SumCase{{40, 40}, 0.05, 7}, SumCase{{33, 33}, 0, 5}}) {
    const Matrix x = numbers_of({one.shape.cols, 3});
    for (const int step : {1, 2}) {
      for (const int parties : {0, 1, 2, 3, 5}) {  // 0: the clear session
        const auto matrices = of_all_owners(one.shape, one.density, std::max(parties, 1), step);
        Matrix expected = Matrix::Zero(one.shape.rows, 3);
        for (const SparseMatrix& m : matrices) expected += dense_of_quarters(m) * x;
        const Function program = [&](Session& s) {
          std::vector<OwnMatrix> owned;
          for (std::size_t i = 0; i < matrices.size(); ++i) {
            const SparseMatrix& m = matrices[i];
            owned.push_back(own_matrix(s, static_cast<int>(i) * step, m.shape, m.entries() + one.more, 2, &m));
          }
          return sum_of_products(s, owned, input(s, 0, shape_of(x), {41, 0}, &x, "x"));
        };
        EXPECT_EQ(parties == 0 ? revealed_in_the_clear(program) : revealed_by_parties(parties, program), expected)
            << parties << " parties, step " << step << ", " << one.shape.rows << " rows";
      }
    }
  }
}

TEST(OwnMatrixSum, CostsWhatItsCardStates) {
  constexpr Shape kShape{10, 10};
  const Matrix x = numbers_of({10, 3});
  for (const int parties : {2, 3, 5}) {
    const auto matrices = of_all_owners(kShape, 0.2, parties, 1);
    run_parties(parties, [&](Session& s, int rank) {
      const Share of_x = input(s, 0, {10, 3}, {40, 0}, rank == 0 ? &x : nullptr, "x");
      std::vector<OwnMatrix> owned;
      for (int owner = 0; owner < parties; ++owner) {
        const SparseMatrix& m = matrices[static_cast<std::size_t>(owner)];
        owned.push_back(own_matrix(s, owner, kShape, m.entries() + owner, 2, rank == owner ? &m : nullptr));
      }
      const Cost begin = s.stated();
      sum_of_products(s, owned, of_x);
      const Cost product = s.stated() - begin;
      if (rank == parties) return;  // the dealer counts nothing
      std::int64_t sent = 0, dealt = 0;
      for (int owner = 0; owner < parties; ++owner) {
        const std::int64_t list = 10 + matrices[static_cast<std::size_t>(owner)].entries() + owner;
        const std::int64_t rows = net::packed_bytes(list * 3, 40);
        if (owner != rank) sent += 3 * rows;
        dealt += 3 * kDealtTagBytes + 3 * rows + net::packed_bytes(10 * 3, 40);
      }
      EXPECT_EQ(product.rounds, 1);
      EXPECT_EQ(product.bytes, sent);
      EXPECT_EQ(product.dealt_bytes, dealt);
    });
  }
}

}  // namespace
}  // namespace tacit::mpc
