// Every party's own matrix as its share of the sum: revealed sums are exact.
#include "mpc/protocols/contribution.h"

#include <gmock/gmock.h>

#include <cmath>

#include "mpc/correlations/no_correlations.h"
#include "mpc/protocols/reveal.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

constexpr Format kExact{kWordBits, 10};

// Whole units of 2^-10, of both signs.
Matrix own_of(int rank, Shape shape) {
  Matrix own(shape.rows, shape.cols);
  for (Eigen::Index i = 0; i < own.size(); ++i) {
    own.data()[i] = std::round(1e5 * std::sin(static_cast<double>(7 * i + 13 * rank + 1)));
  }
  return own;
}

class ContributionOf : public testing::TestWithParam<std::tuple<int, Shape>> {};

INSTANTIATE_TEST_SUITE_P(PartiesAndShapes, ContributionOf,
                         testing::Combine(testing::Values(1, 2, 3, 5),
                                          testing::Values(Shape{0, 3}, Shape{1, 1}, Shape{3, 7}, Shape{1, 501})));

TEST_P(ContributionOf, RevealsTheExactSum) {
  const auto [parties, shape] = GetParam();
  Matrix sum = Matrix::Zero(shape.rows, shape.cols);
  for (int rank = 0; rank < parties; ++rank) sum += own_of(rank, shape) * std::ldexp(1.0, -10);
  RunOptions options;
  options.source = no_correlations;
  run_parties(
      parties,
      [&, shape = shape](Session& session, int rank) {
        const Matrix own = session.computes() ? own_of(rank, shape) : Matrix();
        const Share x = contribution(session, shape, kExact, session.computes() ? &own : nullptr);
        const Public exact = reveal(session, x, To::everyone(), "sum");
        session.output([&](const PublicReader& read) { EXPECT_EQ(read(exact), sum); });
      },
      options);
}

TEST(Contribution, IsTheWholeSumInTheClear) {
  const Matrix whole = own_of(4, {2, 3});
  const Matrix revealed = revealed_in_the_clear([&](Session& session) {
    return contribution(session, {2, 3}, kExact, &whole);
  });
  EXPECT_EQ(revealed, Matrix(whole * std::ldexp(1.0, -10)));
}

}  // namespace
}  // namespace tacit::mpc
