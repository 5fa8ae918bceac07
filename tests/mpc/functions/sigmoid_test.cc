// 1 / (1 + e^-x) within its stated error over its stated domain.
#include "mpc/functions/sigmoid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/mpc/functions/evaluate.h"

namespace tacit::mpc {
namespace {

Evaluated sigmoid_to(Format result) {
  return {[=](Session& s, const Share& x) { return sigmoid(s, x, result); },
          [=](const Spec& x, const CostSetting& setting) { return sigmoid_cost(x, result, setting); }};
}

double worst(const Matrix& seen, const Matrix& x) {
  return largest_difference(seen, x.unaryExpr([](double v) { return 1 / (1 + std::exp(-v)); }));
}

double stated(Format result, int parties) {
  return std::ldexp(1, -11) + rounding(parties) * std::ldexp(1, -result.fraction_bits);
}

TEST(Sigmoid, IsWithinItsErrorOverItsDomain) {
  for (const Ring ring : kRings) {
    for (const Format result : {Format{47, 13}, Format{18, 16}}) {
      const Matrix x = evenly(-16, 14, 30001, ring.f);
      const double error = worst(in_the_clear(sigmoid_to(result), x, {ring.k, ring.f}), x);
      EXPECT_LE(error, stated(result, 1));
      RecordProperty("worst_in_2_to_minus_16_f" + std::to_string(result.fraction_bits),
                     static_cast<int>(std::ldexp(error, 16)));
    }
  }
}

TEST(Sigmoid, OfPartiesIsWithinItsErrorAndCostsWhatIsStated) {
  for (const int n : kParties) {
    for (const Ring ring : kRings) {
      const Matrix x = evenly(-16, 14, 2001, ring.f);
      EXPECT_LE(worst(by_parties(n, sigmoid_to({36, 13}), x, {ring.k, ring.f}), x), stated({36, 13}, n));
    }
    for (const Shape shape : {Shape{0, 3}, Shape{1, 65}, Shape{5, 1}}) {
      const Matrix x = Matrix::Constant(shape.rows, shape.cols, -1.5);
      EXPECT_LE(worst(by_parties(n, sigmoid_to({36, 13}), x, {51, 13}), x), stated({36, 13}, n));
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
