// look_up (lookup table) equals its function within the fit error of its table, at every place in a
// cell and under every mask.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "mpc/protocols/input.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "tests/mpc/functions/evaluate.h"

namespace tacit::mpc {
namespace {

Evaluated looked_up(const CellTable& table, int ring_bits) {
  const int domain_bits = table.domain().ring_bits;
  return {
      [=](Session& s, const Share& x) { return look_up(s, mask(s, narrow(x, domain_bits)), table, ring_bits).front(); },
      [](std::int64_t) { return 1; }};  // the value that masks x
}

TEST(LookUp, OfASmallRingIsExact) {
  const CellTable table = CellTable::of_values(5, [](std::int64_t v) { return static_cast<double>(v * v); });
  Matrix x(5, 3);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i) - 7;
  const Matrix expected = x.unaryExpr([](double v) { return std::pow(v < 0 ? v + 32 : v, 2); });
  for (const int n : kPartyCounts) EXPECT_EQ(by_parties(n, looked_up(table, 20), x, {9, 0}), expected);
  EXPECT_EQ(in_the_clear(looked_up(table, 20), x, {9, 0}), expected);
}

TEST(LookUp, OfAPolynomialIsThatPolynomialUpToRounding) {
  const auto cubic = [](double v) { return 0.25 * v * v * v - v + 0.5; };
  // 8 cells, 1/2 wide: from -2 to 3/2
  const CellTable table = CellTable::polynomial({{14, 12}, 3}, {-2, 1.5}, 3, {18, 20}, cubic);
  const Matrix x = evenly(-2, 1.5, 1001, 12);
  const Matrix expected = x.unaryExpr(cubic);
  EXPECT_LT(largest_difference(in_the_clear(looked_up(table, 60), x, {20, 12}), expected), std::ldexp(1, -16));
  for (const int n : kPartyCounts) {
    EXPECT_LT(largest_difference(by_parties(n, looked_up(table, 60), x, {20, 12}), expected), std::ldexp(1, -16));
  }
}

TEST(LookUp, TakesFactorsInTheirOwnRingsAndOfAnyOrientation) {
  const CellTable table = CellTable::of_values(4, [](std::int64_t v) { return static_cast<double>(v + 1); });
  Matrix x(3, 4), y(3, 4), z(4, 3);
  for (Eigen::Index i = 0; i < 12; ++i)
    x.data()[i] = static_cast<double>(i % 4), y.data()[i] = static_cast<double>(3 * i - 10);
  z = -y.transpose() / 4;
  const Matrix f = x.array() + 1;
  const auto program = [&](Session& s) {
    const std::array inputs{input(s, 0, {3, 4}, {4, 0}, &x, "x"), input(s, 0, {3, 4}, {40, 2}, &y, "y"),
                            input(s, 0, {4, 3}, {24, 2}, &z, "z")};
    const std::vector<Masked> masked = mask(s, inputs);
    const std::array factors{masked[1], masked[2].transposed()};
    const std::vector<Share> found = look_up(s, masked[0], table, 30, factors);
    EXPECT_EQ(found[0].ring_bits(), 30);
    EXPECT_EQ(found[1].ring_bits(), 30);
    EXPECT_EQ(found[2].ring_bits(), 24);
    return refine(found[0], 2) + found[1] + found[2];
  };
  const Matrix expected = f + f.cwiseProduct(y) + f.cwiseProduct(Matrix(z.transpose()));
  for (const int n : {2, 3, 5}) EXPECT_EQ(revealed_by_parties(n, program), expected);
  EXPECT_EQ(revealed_in_the_clear(program), expected);
}

TEST(LookUp, WeightsOfAnExponentialAreIntegersThatDoNotDependOnTheMachine) {
  const CellTable table = CellTable::exponential({{16, 10}, 4}, 20, 0, {20, 10});
  std::uint64_t sum = 0;
  double worst = 0;
  for (std::uint64_t delta = 0; delta < 1 << 12; ++delta) {
    std::array<std::uint64_t, 1> weight{};
    table.weights(delta, weight);
    sum = sum * 31 + weight[0];
    const double expected = std::exp(std::ldexp(static_cast<double>(delta), -10));
    worst = std::max(worst, std::abs(std::ldexp(static_cast<double>(weight[0]), -20) - expected) / expected);
  }
  EXPECT_LT(worst, std::ldexp(1, -20));
  EXPECT_EQ(sum, 13410620784669034067U);
}

}  // namespace
}  // namespace tacit::mpc
