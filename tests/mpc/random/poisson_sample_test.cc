#include "mpc/random/poisson_sample.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/mpc/random/fixed_seed.h"

namespace tacit::mpc {
namespace {

TEST(PoissonSample, DrawsEveryRowAtRateOne) {
  PoissonSample sample(fixed_seed(1), 1);
  EXPECT_THAT(sample.draw(4), testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(sample.draw(0), testing::IsEmpty());
}

TEST(PoissonSample, DrawsAscendingRows) {
  PoissonSample sample(fixed_seed(2), 0.3);
  for (int i = 0; i < 100; ++i) {
    const std::vector<std::int64_t> rows = sample.draw(50);
    EXPECT_TRUE(std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end());
    if (!rows.empty()) {
      EXPECT_GE(rows.front(), 0);
      EXPECT_LT(rows.back(), 50);
    }
  }
}

// Five standard deviations of the estimates: one test in two million fails by chance, and the seed is fixed.
TEST(PoissonSample, DrawsEachRowIndependentlyWithTheRate) {
  constexpr std::int64_t kDraws = 20'000, kRows = 20;
  for (const double rate : {0.02, 0.5, 0.9}) {
    SCOPED_TRACE(rate);
    PoissonSample sample(fixed_seed(3), rate);
    std::vector<double> drawn(kRows), with_next(kRows);
    double squares = 0;
    for (std::int64_t i = 0; i < kDraws; ++i) {
      std::vector<bool> is_in(kRows + 1);
      const std::vector<std::int64_t> rows = sample.draw(kRows);
      for (const std::int64_t row : rows) is_in[static_cast<std::size_t>(row)] = true;
      for (std::size_t row = 0; row < kRows; ++row) {
        drawn[row] += is_in[row];
        with_next[row] += is_in[row] && is_in[row + 1];
      }
      squares += std::pow(static_cast<double>(rows.size()) - rate * kRows, 2);
    }
    const double bound = 5 * std::sqrt(kDraws * rate * (1 - rate));
    const double together = rate * rate, bound_together = 5 * std::sqrt(kDraws * together * (1 - together));
    for (std::size_t row = 0; row < kRows; ++row) {
      EXPECT_NEAR(drawn[row], kDraws * rate, bound) << row;
      if (row + 1 < kRows) {
        EXPECT_NEAR(with_next[row], kDraws * together, bound_together) << row;
      }
    }
    const double variance = kRows * rate * (1 - rate);
    EXPECT_NEAR(squares / kDraws, variance, 5 * variance * std::sqrt(2.0 / kDraws) + 5 * std::sqrt(variance / kDraws));
  }
}

TEST(PoissonSample, DrawsOtherRowsFromAnotherSeed) {
  PoissonSample one(PairSeed::own(Nonce{}), 0.5), other(PairSeed::own(Nonce{}), 0.5);
  EXPECT_NE(one.draw(200), other.draw(200));
}

}  // namespace
}  // namespace tacit::mpc
