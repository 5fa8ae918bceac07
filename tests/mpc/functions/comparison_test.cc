// a >= b and the greater of the two, exactly.
#include "mpc/functions/comparison.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/mpc/functions/evaluate.h"

namespace tacit::mpc {
namespace {

constexpr int kWholeBits = 5;

// Of the two columns of x.
Share greater(Session& s, const Share& x) { return greater_of(s, columns(x, 0, 1), columns(x, 1, 2), kWholeBits); }
Share not_less(Session& s, const Share& x) {
  return s.indicator(at_least(s, columns(x, 0, 1), columns(x, 1, 2), kWholeBits), 8);
}
Spec column_of(const Spec& x) { return {{x.shape.rows, 1}, x.format}; }

const Evaluated kGreater{greater, [](const Spec& x, const CostSetting& setting) {
                           return greater_of_cost(column_of(x), column_of(x), kWholeBits, setting);
                         }};
const Evaluated kNotLess{not_less, [](const Spec& x, const CostSetting& setting) {
                           const net::WordShape indicator = word_shape({x.shape.rows, 1}, 8);
                           return at_least_cost(column_of(x), kWholeBits, setting) +
                                  dealing_cost(std::span(&indicator, 1));
                         }};

// Every distance between the two that can matter, on either side of b.
Matrix pairs(int fraction_bits) {
  const double unit = std::ldexp(1, -fraction_bits), edge = 32 - unit;
  const std::array distances{0.0, unit, -unit, 1.0, -1.0, edge, -edge};
  const std::array places{0.0, 100.0, -1000.0, unit};
  Matrix x(static_cast<Eigen::Index>(distances.size() * places.size()), 2);
  Eigen::Index i = 0;
  for (const double d : distances) {
    for (const double b : places) x.row(i++) << b + d, b;
  }
  return x;
}

TEST(Comparison, OfTwoTensorsIsExactAndCostsWhatIsStated) {
  for (const Ring ring : kRings) {
    for (const Matrix& x : {pairs(ring.f), Matrix(0, 2), Matrix(Matrix::Constant(1, 2, 3))}) {
      const Matrix greatest = x.rowwise().maxCoeff();
      const Matrix sign = (x.col(0).array() >= x.col(1).array()).cast<double>();
      EXPECT_EQ(in_the_clear(kGreater, x, {ring.k, ring.f}), greatest);
      EXPECT_EQ(in_the_clear(kNotLess, x, {ring.k, ring.f}), sign);
      for (const int n : kParties) {
        EXPECT_EQ(by_parties(n, kGreater, x, {ring.k, ring.f}), greatest);
        EXPECT_EQ(by_parties(n, kNotLess, x, {ring.k, ring.f}), sign);
      }
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
