// A hundred million truncations of large products by two, three and five parties, without one gross
// error. CrypTen's method would make half a million gross errors.
#include <gtest/gtest.h>

#include "tests/mpc/suites/claims.h"

namespace tacit::mpc {
namespace {

class Truncations : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Parties, Truncations, testing::Values(2, 3, 5),
                         [](const auto& tested) { return std::to_string(tested.param); });

TEST_P(Truncations, AreWithinTheBound) {
  const Errors errors = truncated_products(real_parties(GetParam()), {64, 16}, 1e4, 34000000, 100);
  EXPECT_TRUE(errors.hold()) << errors;
  EXPECT_EQ(errors.count(), 34000000);
}

}  // namespace
}  // namespace tacit::mpc
