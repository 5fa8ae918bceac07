// Exploding loss: thousands of multiply-and-truncate steps, and whole trainings, follow the clear
// session.
//
// The causes (a) to (f) were found in CrypTen's code. negative_control_test shows that these tests
// can fail.
#include <gtest/gtest.h>

#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/session/local.h"
#include "tests/mpc/suites/claims.h"
#include "tests/mpc/suites/training.h"

namespace tacit::mpc {
namespace {

constexpr Format kFormat{64, 16};
constexpr double kLossesDiffer = 0.002;  // relative to the first loss: stated for 12 fraction bits and more

class ExplodingLoss : public testing::TestWithParam<int> {
 protected:
  static Interpreter parties() { return real_parties(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Parties, ExplodingLoss, testing::Values(2, 3, 5),
                         [](const auto& tested) { return std::to_string(tested.param); });

TEST_P(ExplodingLoss, AThousandProductsFollowTheClearSession) {
  for (const Format format : {kFormat, Format{48, 12}}) {
    const Errors errors = multiply_truncate_chain(parties(), format, 1000);
    EXPECT_TRUE(errors.hold()) << errors;
  }
}

TEST_P(ExplodingLoss, ALongTrainingFollowsTheClearSessionAndFloatingPoint) {
  for (const Format format : {kFormat, Format{48, 12}}) {
    const Training training{format, 300};
    const std::vector<double> losses = losses_of_training(parties(), training);
    ASSERT_EQ(losses.size(), 300U);
    EXPECT_LT(losses.back(), losses.front() / 100) << "it learns";
    EXPECT_LT(distance(losses, losses_of_training(in_the_clear(), training)), kLossesDiffer);
    EXPECT_LT(distance(losses, losses_of_training_in_floating_point(training)), kLossesDiffer);
  }
}

TEST_P(ExplodingLoss, ProductsAtTheEdgeOfTheRangeAreWithinTheBound) {
  for (const Format format : {kFormat, Format{64, 13}, Format{56, 13}, Format{48, 12}}) {
    const Errors errors = products_at_the_edge(parties(), format);
    EXPECT_TRUE(errors.hold()) << errors;
  }
}

// (a) A wrap of the shares' sum is corrected at the wrong scale.
TEST_P(ExplodingLoss, NoWrapIsLostWhereACorrectionCouldLoseItsScale) {
  const Errors errors = truncated_products(parties(), kFormat, 1, 1000000);
  EXPECT_TRUE(errors.hold()) << errors;
}

// (b) A transposed operand is sent in the order of storage: every training with a dense layer
// explodes at the second epoch.
TEST_P(ExplodingLoss, TransposedOperandsAreReadAsTheProgramSeesThem) {
  const Errors errors = transposed_products(parties());
  EXPECT_TRUE(errors.hold()) << errors;
}

// (c) Truncation is off by 2^(K-f) with probability |xy| / 2^(K-2f): 0.58 % of the products of
// factors up to 10^4.
TEST_P(ExplodingLoss, TruncationIsNeverGrosslyWrongForLargeProducts) {
  const Errors errors = truncated_products(parties(), kFormat, 1e4, 2000000);
  EXPECT_TRUE(errors.hold()) << errors;
}

// (d) Decoding a negative is off by one with probability |v| / 2^f.
TEST_P(ExplodingLoss, NegativesAreDecodedExactly) {
  for (const Format format : {kFormat, Format{64, 13}, Format{48, 12}, Format{35, 0}}) {
    const Errors errors = revealed_negatives(parties(), format);
    EXPECT_TRUE(errors.hold()) << errors;
  }
}

// (e) A public constant below one unit, a learning rate of 1e-5, silently becomes zero.
TEST(ExplodingLoss, APublicConstantIsRightOrRefused) {
  const Errors errors =
      public_constants([](double value, Format format) { return encode_constant(value, format, "a constant"); });
  EXPECT_TRUE(errors.hold()) << errors;
  EXPECT_THROW(encode_constant(1e-5, {64, 13}, "the learning rate"), ConfigError);
  ClearSession session;
  const Matrix zero = Matrix::Zero(1, 1);
  const Share share = constant(session, zero, {64, 13}, "zero");
  EXPECT_THROW(add_public(session, share, 1e-5), ConfigError);
}

TEST_P(ExplodingLoss, ALearningRateOfAHundredThousandthKeepsItsValueAtAFinerScale) {
  constexpr int kBits = 30;
  const auto rate = static_cast<std::int64_t>(encode_constant(1e-5, {64, kBits}, "the learning rate"));
  const Matrix gradient = Matrix::Constant(3, 3, 7000);
  const std::vector<Total> sums = totals(parties(), [&](Session& s, int) {
    const Share g = input(s, 0, {3, 3}, {64, 13}, &gradient, "gradient");
    return std::vector{drop(s, scale(g, rate, kBits), kBits)};
  });
  for (std::int64_t i = 0; i < sums[0].size(); ++i) {
    EXPECT_NEAR(static_cast<double>(sums[0].units(i)), std::ldexp(7000 * 1e-5, 13), 2.5 + 573.0 / 128);
  }
}

// (f) Gradients averaged over thousands of nodes are at most a few units; truncation towards zero
// loses them.
TEST_P(ExplodingLoss, UpdatesBelowOneUnitAddUpToWhatTheyShould) {
  const Errors errors = small_updates(parties(), 200);
  EXPECT_TRUE(errors.hold()) << errors;
}

}  // namespace
}  // namespace tacit::mpc
