// Zero products: a product with a zero factor is zero, within the bound that drop (truncation)
// states, for any number of parties.
//
// The causes were found in CrypTen's code, in which such products are off by millions.
// negative_control_test shows that these tests can fail.
#include <gtest/gtest.h>

#include "tests/mpc/suites/claims.h"

namespace tacit::mpc {
namespace {

constexpr Format kFormats[] = {{64, 16}, {56, 13}, {48, 12}};
// A million at two and three parties; the time grows with the square of their number.
constexpr std::int64_t elements(int parties) { return parties == 2 || parties == 3 ? 1'000'000 : 200'000; }
constexpr MatrixSizes kMatrix{500, 3, 1000};  // with its transpose:
constexpr std::int64_t kMatrixElements = 1'000'000;

class ZeroProduct : public testing::TestWithParam<int> {
 protected:
  static Interpreter parties() { return real_parties(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Parties, ZeroProduct, testing::Range(1, 9),
                         [](const auto& tested) { return std::to_string(tested.param); });

TEST_P(ZeroProduct, OfZerosAndOfAZeroAndAnythingIsWithinTheBound) {
  for (const Format format : {kFormats[0], kFormats[2]}) {
    const Errors errors = zero_products(parties(), format, elements(GetParam()));
    EXPECT_TRUE(errors.hold()) << errors;
    EXPECT_GE(errors.count(), 2 * elements(GetParam()));
  }
}

TEST_P(ZeroProduct, OfZeroMatricesIsWithinTheBound) {
  for (const Format format : kFormats) {
    const Errors errors = zero_matrix_products(parties(), format, Factor::kZero, kMatrix);
    EXPECT_TRUE(errors.hold()) << errors;
    EXPECT_GE(errors.count(), kMatrixElements);
  }
}

TEST_P(ZeroProduct, OfAZeroMatrixAndAnyMatrixIsWithinTheBound) {
  for (const Format format : kFormats) {
    const Errors errors = zero_matrix_products(parties(), format, Factor::kAnything, kMatrix);
    EXPECT_TRUE(errors.hold()) << errors;
    EXPECT_GE(errors.count(), kMatrixElements);
  }
}

TEST(ZeroProducts, OfTheReportsListingTwoVectorsOfFiveZerosAtFivePartiesAreWithinTheBound) {
  constexpr int kTimes = 2000;
  for (const Format format : kFormats) {
    const Errors errors = listed_zero_products(real_parties(5), format, kTimes);
    EXPECT_EQ(errors.count(), 5 * kTimes);
    EXPECT_TRUE(errors.hold()) << errors;
    EXPECT_LE(errors.worst(), 2.5);
  }
}

TEST(ZeroProducts, OfFiveByFiveMatricesAtFivePartiesAreWithinTheBound) {
  for (const Format format : kFormats) {
    const Errors errors = zero_matrix_products(real_parties(5), format, Factor::kZero, {5, 5, 5}, 500);
    EXPECT_TRUE(errors.hold()) << errors;
    EXPECT_LE(errors.worst(), 2.5);
  }
}

// (a) A wrap of the shares' sum is corrected at the wrong scale: 25 % of zero products are wrong at
// three parties, 40 % at five.
TEST(ZeroProducts, LoseNoWrapWhoseCorrectionCouldLoseItsScale) {
  for (const int n : {3, 5}) {
    const Errors errors = zero_products(real_parties(n), {64, 13}, elements(n));
    EXPECT_EQ(errors.beyond(), 0) << errors;
  }
}

// (b) A transposed operand is sent in the order of storage, so that masks and corrections land on
// the wrong elements.
TEST(ZeroProducts, OfTransposedMatricesAreOfTheElementsThatTheProgramSees) {
  for (const int n : {1, 2, 3, 5}) {
    const Errors errors = zero_matrix_products(real_parties(n), {64, 16}, Factor::kAnything, {7, 30, 4}, 20);
    EXPECT_TRUE(errors.hold()) << errors;
  }
}

// (d) Decoding a negative is off by one: a zero product that is one unit below zero becomes -1.
TEST(ZeroProducts, OneUnitBelowZeroAreDecodedAsOneUnitBelowZero) {
  for (const int n : {1, 2, 3, 5}) {
    const Errors errors = revealed_negatives(real_parties(n), {64, 16});
    EXPECT_TRUE(errors.hold()) << errors;
  }
}

}  // namespace
}  // namespace tacit::mpc
