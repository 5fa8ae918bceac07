// e^x within its stated error over its stated domain.
#include "mpc/functions/exponential.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/mpc/functions/evaluate.h"

namespace tacit::mpc {
namespace {

struct Case {
  int largest;
  Format result;
};
constexpr Case kCases[] = {{0, {43, 13}}, {0, {20, 16}}, {8, {30, 13}}, {-3, {24, 20}}};

Evaluated exponential_of(const Case& c) {
  return {[=](Session& s, const Share& x) { return exponential(s, x, c.largest, c.result); },
          [=](const Spec& x, const CostSetting& setting) { return exponential_cost(x, c.result, setting); }};
}

// In parts of the stated error.
double worst(const Matrix& seen, const Matrix& x, const Case& c, int parties) {
  double worst = 0;
  const double unit = std::ldexp(1, -c.result.fraction_bits);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double expected = std::exp(x.data()[i]);
    const double stated = std::ldexp(expected, -14) + (rounding(parties) + 0.5) * unit;
    worst = std::max(worst, std::abs(seen.data()[i] - expected) / stated);
  }
  return worst;
}

TEST(Exponential, IsWithinItsErrorOverItsDomain) {
  double all = 0;
  for (const Case& c : kCases) {
    for (const Ring ring : kRings) {
      const Matrix x = evenly(c.largest - 60, c.largest, 20001, ring.f);
      const double ratio = worst(in_the_clear(exponential_of(c), x, {ring.k, ring.f}), x, c, 1);
      EXPECT_LE(ratio, 1) << "up to " << c.largest << ", k " << ring.k << " f " << ring.f;
      all = std::max(all, ratio);
    }
  }
  RecordProperty("worst_part_of_stated_percent", static_cast<int>(100 * all));
}

TEST(Exponential, OfPartiesIsWithinItsErrorAndCostsWhatIsStated) {
  for (const int n : kParties) {
    for (const Ring ring : kRings) {
      const Matrix x = evenly(-60, 0, 2001, ring.f);
      EXPECT_LE(worst(by_parties(n, exponential_of(kCases[0]), x, {ring.k, ring.f}), x, kCases[0], n), 1) << n;
    }
    for (const Shape shape : {Shape{0, 3}, Shape{1, 65}, Shape{5, 1}}) {
      const Matrix x = Matrix::Constant(shape.rows, shape.cols, -1.5);
      EXPECT_LE(worst(by_parties(n, exponential_of(kCases[1]), x, {51, 13}), x, kCases[1], n), 1);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
