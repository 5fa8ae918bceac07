// Truncation is unbiased. Lift and sign are exact on every value of their stated range, including
// both edges.
#include <gtest/gtest.h>

#include <functional>

#include "tests/mpc/suites/claims.h"

namespace tacit::mpc {
namespace {

constexpr std::int64_t kSamples = 1000000;

class LiftAndSign : public testing::TestWithParam<int> {
 protected:
  static Interpreter parties() { return real_parties(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Parties, LiftAndSign, testing::Values(1, 2, 3, 5),
                         [](const auto& tested) { return std::to_string(tested.param); });

// Allows four standard errors. An unbiased rounding exceeds them once in 16 000 times, so the test
// has three tries.
bool unbiased(const std::function<Errors()>& measure) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Errors errors = measure();
    EXPECT_TRUE(errors.hold()) << errors;
    if (std::abs(errors.mean()) <= 4 * errors.standard_error()) return true;
  }
  return false;
}

bool unbiased(const Interpreter& interpreter, int bits, double value) {
  return unbiased([&] { return fixed_fractions(interpreter, bits, value, kSamples); });
}

TEST(Truncation, IsUnbiasedForEveryFractionAndSign) {
  for (const double value : {0.0, 0.625, -0.3, 12345.25, -9999999.9}) {
    for (const int n : {2, 3}) EXPECT_TRUE(unbiased(real_parties(n), 16, value)) << value << " at " << n;
  }
  EXPECT_TRUE(unbiased(real_parties(5), 12, -0.3));
  EXPECT_TRUE(unbiased(real_parties(8), 13, 0.3));
  EXPECT_TRUE(unbiased(in_the_clear(), 13, 0.3));
}

// A learning rate that is a power of two produces such shares.
TEST(Truncation, IsUnbiasedWhereAllSharesEndInZeros) {
  for (const int bits : {1, 17, 19}) {
    for (const int n : {1, 2, 3, 5}) {
      EXPECT_TRUE(unbiased([&] { return scaled_fractions(real_parties(n), bits, kSamples / 4); }))
          << "times 2^" << bits << " at " << n;
    }
  }
}

TEST_P(LiftAndSign, AreExactOnEveryValueOfSmallRings) {
  const Errors errors = lifts_and_signs_of_every_value(parties(), 8);
  EXPECT_TRUE(errors.hold()) << errors;
}

TEST(LiftAndSignAtTheEdges, AreExactInEveryRing) {
  for (const int n : {2, 3}) {
    const Errors errors = lifts_and_signs_at_the_edges(real_parties(n), 6);
    EXPECT_TRUE(errors.hold()) << errors;
  }
}

TEST(LiftAndSignInTheClear, AreExactToo) {
  EXPECT_TRUE(lifts_and_signs_of_every_value(in_the_clear(), 1).hold());
  EXPECT_TRUE(lifts_and_signs_at_the_edges(in_the_clear(), 1).hold());
}

}  // namespace
}  // namespace tacit::mpc
