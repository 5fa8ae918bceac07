// A multiple of a shown value in a wider ring is next to the true one, has no bias, and costs as much as its card states.
#include "mpc/protocols/lifted_multiple.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/show.h"
#include "net/collectives/pack.h"
#include "tests/mpc/gathered_correlations.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

struct Case {
  int k, wide, fraction_bits;
  PublicFactor factor;
};

// The last one is exact, and in the ring of x.
const Case kCases[] = {{20, 64, 0, {1365, 12}},  {36, 64, 23, {-4093, 25}}, {20, 40, 3, {3, 20}}, {12, 14, 0, {1, 12}},
                       {51, 64, 5, {12345, 15}}, {64, 64, 0, {-3, 9}},      {9, 40, 1, {1, 0}},   {9, 9, 0, {1, 0}},
                       {64, 64, 0, {1, 0}},      {64, 64, 0, {-1, 64}},     {20, 64, 0, {-7, 20}}};

double number(const PublicFactor& factor) { return std::ldexp(static_cast<double>(factor.mantissa), -factor.shift); }

// Whole numbers below 2^(k-2) with multiples that fit the ring, and both ends among them.
Matrix numbers(Shape shape, const Case& c) {
  const double fits = std::ldexp(0.98, c.wide - 1) / std::abs(number(c.factor));
  const double most = std::floor(std::min({std::ldexp(1.0, c.k - 2) - 1, fits, std::ldexp(1.0, 50)}));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-most, most);
  Matrix values = Matrix::Zero(shape.rows, shape.cols).unaryExpr([&](double) { return std::round(uniform(random)); });
  if (values.size() > 2) values(0, 0) = most, values(1, 0) = -most;
  return values;
}

// The multiples in units of the result.
Matrix in_units(const Matrix& revealed, const Case& c) { return revealed * std::ldexp(1.0, c.fraction_bits); }

Function multiple_of(const Matrix& x, const Case& c) {
  return [&x, c](Session& s) {
    const Shape shape = shape_of(x);
    const Shown shown = show(s, input(s, s.parties() - 1, shape, {c.k, 0}, &x, "x"));
    const Cost before = s.stated();
    const Share result = lifted_multiple(s, shown, c.factor, {c.wide, c.fraction_bits});
    const Cost cost = s.stated() - before;
    EXPECT_EQ(cost.rounds, 0);
    EXPECT_EQ(cost.bytes, 0);
    EXPECT_EQ(cost.dealt_bytes, cost.dealt_messages * (kDealtTagBytes + 2 * net::packed_bytes(shape.size(), c.wide)));
    EXPECT_EQ(result.format(), (Format{c.wide, c.fraction_bits}));
    return result;
  };
}

TEST(LiftedMultiple, IsLessThanAUnitFromTheTrueOne) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::Message() << c.factor.mantissa << " / 2^" << c.factor.shift << " of " << c.k << " bits");
    for (const Shape shape : {Shape{0, 1}, Shape{1, 1}, Shape{65, 3}, Shape{385, 1}}) {
      const Matrix x = numbers(shape, c), expected = x * number(c.factor);
      const auto is_next = [&](const Matrix& revealed) {
        if (revealed.size() == 0) return;
        const double off = (in_units(revealed, c) - expected).cwiseAbs().maxCoeff();
        EXPECT_LE(off, c.factor.shift == 0 ? 0 : 1);
      };
      const Function program = multiple_of(x, c);
      is_next(revealed_in_the_clear(program));
      for (const int parties : {1, 2, 3, 5, 8}) is_next(revealed_by_parties(parties, program));
      for (const int parties : {2, 3}) {
        RunOptions options;
        options.source = gathered_correlations(parties);
        is_next(revealed_by_parties(parties, program, options));
      }
    }
  }
}

TEST(LiftedMultiple, HasNoBias) {
  constexpr std::int64_t kSamples = 20'000;
  for (const PublicFactor& factor : {PublicFactor{5, 6}, {-5, 6}, {3, 4}}) {
    const Case c{20, 64, 0, factor};
    for (const double value : {0.0, 1.0, -7.0, 300.0, 12345.0}) {
      SCOPED_TRACE(value);
      const Matrix x = Matrix::Constant(kSamples, 1, value);
      const auto has_the_mean = [&](const Matrix& revealed) {
        const double mean = revealed.mean(), off = mean - value * number(c.factor);
        const double deviation = std::sqrt((revealed.array() - mean).square().mean());
        EXPECT_LE(std::abs(off), 7 * deviation / std::sqrt(static_cast<double>(kSamples)) + 1e-12);
      };
      has_the_mean(revealed_in_the_clear(multiple_of(x, c)));
      for (const int parties : {1, 2, 3}) has_the_mean(revealed_by_parties(parties, multiple_of(x, c)));
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
