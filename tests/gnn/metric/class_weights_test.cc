// Class weights on shares against those in double precision, and the weighted, smoothed loss.
#include "gnn/loss/class_weights.h"

#include <gmock/gmock.h>

#include <cmath>

#include "gnn/arithmetic/sharing.h"
#include "gnn/data/preparation.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

// `counts` has the number of nodes of each class.
Matrix labels_of(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> classes;
  for (std::size_t c = 0; c < counts.size(); ++c)
    for (std::int64_t node = 0; node < counts[c]; ++node) classes.push_back(static_cast<std::int64_t>(c));
  return one_hot(classes, std::ssize(counts));
}

Matrix weights_on_shares(mpc::Session& session, mpc::Format top, const ClassWeights& weights, const Matrix& y) {
  Arithmetic arithmetic(session, top);
  const int owner = session.parties() - 1;
  const Tensor labels(mpc::input(session, owner, mpc::shape_of(y), top, &y, "y"), 1, "y");
  const std::optional<Tensor> shared = shared_class_weights(arithmetic, weights, labels);
  const mpc::Public seen = mpc::reveal(session, shared.value().share(), mpc::To::everyone(), "weights");
  Matrix result;
  session.output([&](const mpc::PublicReader& read) { result = read(seen); });
  return result;
}

TEST(ClassWeights, OfSharesAreTheTwins) {
  const std::vector<std::vector<std::int64_t>> all = {{97, 3},
                                                      {1, 1},
                                                      {0, 5},
                                                      {300, 0, 4},
                                                      {1000, 2, 500},
                                                      {3000, 1, 1},
                                                      {1, 2, 3, 4, 90},
                                                      {2, 0, 1, 0, 1, 0, 0},
                                                      {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                                                      {30000, 2, 1}};
  for (const std::vector<std::int64_t>& counts : all) {
    const Matrix y = labels_of(counts);
    ClassWeights list;
    for (std::size_t c = 0; c < counts.size(); ++c) list.of.push_back(0.25 + 3 * static_cast<double>(c));
    for (const ClassWeights& weights : {ClassWeights{.balanced = true, .of = {}}, list}) {
      const Matrix twin = plain_class_weights(weights, y, all_rows(y.rows()));
      EXPECT_LE(twin.maxCoeff(), ClassWeights::kLargest);
      for (const mpc::Format top : {mpc::Format{64, 13}, mpc::Format{48, 12}}) {
        for (const int parties : {2, 3, 5}) {
          mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
            const Matrix seen = weights_on_shares(session, top, weights, y);
            if (rank != 0) return;
            const double unit = std::ldexp(1.0, -top.fraction_bits);
            const Matrix most = (2.5e-4 * twin).array() + 0.5 * parties * unit + unit;
            EXPECT_LE(((seen - twin).cwiseAbs() - most).maxCoeff(), 0) << seen << "\n" << twin;
          });
        }
      }
    }
  }
}

TEST(ClassWeights, BalancedGiveEveryClassThePartOfTheOthers) {
  const Matrix y = labels_of({97, 3});
  const Matrix weights = plain_class_weights({.balanced = true, .of = {}}, y, all_rows(100));
  EXPECT_DOUBLE_EQ(97 * weights(0, 0), 50);
  EXPECT_DOUBLE_EQ(3 * weights(0, 1), 50);
  const Matrix most = plain_class_weights({.balanced = true, .of = {}}, labels_of({9999, 1}), all_rows(10'000));
  EXPECT_LE(most(0, 1), 64);
  EXPECT_GT(most(0, 1), 63);
  EXPECT_EQ(plain_class_weights({}, y, all_rows(100)).size(), 0);
}

}  // namespace
}  // namespace tacit::gnn
