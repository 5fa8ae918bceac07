// Negative control: the suites fail for sessions with the errors found in CrypTen's code, at the
// rates found there. This shows that the suites can fail.
#include <gtest/gtest.h>

#include "tests/mpc/suites/broken_session.h"
#include "tests/mpc/suites/claims.h"
#include "tests/mpc/suites/training.h"

namespace tacit::mpc {
namespace {

constexpr Format kSuiteFormat{64, 16};
constexpr std::int64_t kElements = 200000;
constexpr double kMargin = 0.01;  // at least nine standard errors

TEST(NegativeControl, AWrapCorrectionThatLosesItsScaleFailsTheZeroProducts) {
  const auto wrong = [](int parties) {
    return zero_products(broken_parties(parties, Mistake::kScaleLost), kSuiteFormat, kElements).beyond();
  };
  EXPECT_NEAR(wrong(3), 0.25, kMargin);
  EXPECT_NEAR(wrong(5), 0.40, kMargin);
}

TEST(NegativeControl, AWrapCorrectionThatLosesItsScaleFailsTheReportsListing) {
  const Errors errors = listed_zero_products(broken_parties(5, Mistake::kScaleLost), kSuiteFormat, 2000);
  EXPECT_FALSE(errors.hold());
  EXPECT_NEAR(errors.beyond(), 0.40, 0.04);
  EXPECT_GT(errors.worst(), 1e9);
}

TEST(NegativeControl, AWrapCorrectionThatLosesItsScaleExplodesALoss) {
  const Training training{kSuiteFormat, 3};
  for (const int n : {3, 5}) {
    EXPECT_FALSE(multiply_truncate_chain(broken_parties(n, Mistake::kScaleLost), kSuiteFormat, 50).hold());
    const std::vector<double> losses = losses_of_training(broken_parties(n, Mistake::kScaleLost), training);
    EXPECT_GT(distance(losses, losses_of_training(in_the_clear(), training)), 1e3);
  }
}

TEST(NegativeControl, ATransposedOperandInStorageOrderFailsTheProductsAndExplodesATraining) {
  const Training training{kSuiteFormat, 3};
  for (const int n : {2, 3, 5}) {
    EXPECT_FALSE(transposed_products(broken_parties(n, Mistake::kStorageOrder)).hold());
    EXPECT_FALSE(
        zero_matrix_products(broken_parties(n, Mistake::kStorageOrder), kSuiteFormat, Factor::kAnything, {7, 30, 4})
            .hold());
    const std::vector<double> losses = losses_of_training(broken_parties(n, Mistake::kStorageOrder), training);
    const std::vector<double> expected = losses_of_training(in_the_clear(), training);
    EXPECT_NEAR(losses[0], expected[0], 0.01 * expected[0]) << "the first epoch is right";
    EXPECT_GT(losses[1], 1e3 * expected[1]) << "the second is not";
  }
}

TEST(NegativeControl, AGuessedWrapFailsTheTruncationsOfLargeProducts) {
  for (const int n : {2, 3, 5}) {
    const Errors errors = truncated_products(broken_parties(n, Mistake::kWrapGuessed), kSuiteFormat, 1e4, 1000000);
    EXPECT_NEAR(errors.beyond(), 0.0058, 0.0008) << n;
    EXPECT_GT(errors.worst(), 1e14) << n;
  }
}

TEST(NegativeControl, AGuessedWrapFailsTheChainAndTheEdges) {
  for (const int n : {2, 3}) {
    EXPECT_FALSE(multiply_truncate_chain(broken_parties(n, Mistake::kWrapGuessed), kSuiteFormat, 300).hold());
    EXPECT_FALSE(products_at_the_edge(broken_parties(n, Mistake::kWrapGuessed), kSuiteFormat).hold());
  }
}

TEST(NegativeControl, ADecodingThatIsOffByOneFailsTheNegatives) {
  for (const int n : {2, 3}) {
    EXPECT_FALSE(revealed_negatives(broken_parties(n, Mistake::kDecoding), kSuiteFormat).hold());
  }
}

TEST(NegativeControl, AConstantThatSilentlyBecomesZeroFailsTheConstants) {
  const Errors errors = public_constants([](double value, Format format) {
    return static_cast<std::uint64_t>(std::llrint(std::ldexp(value, format.fraction_bits)));
  });
  EXPECT_FALSE(errors.hold());
}

TEST(NegativeControl, TruncationTowardsZeroFailsTheSmallUpdatesAndTheFractions) {
  for (const int n : {2, 3}) {
    const Interpreter broken = broken_parties(n, Mistake::kTowardsZero);
    EXPECT_FALSE(small_updates(broken, 20).hold());
    const Errors errors = fixed_fractions(broken, 16, 0.625, 100000);
    EXPECT_GT(std::abs(errors.mean()), 4 * errors.standard_error());
  }
}

}  // namespace
}  // namespace tacit::mpc
