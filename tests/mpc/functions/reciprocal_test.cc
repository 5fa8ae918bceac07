// 1/x and 1/sqrt x within a relative error of 2^-9 from 2^-8 to 2^12; 1/sqrt x also to 2^16, and within 2^-7 to 2^20.
#include "mpc/functions/reciprocal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "tests/mpc/functions/evaluate.h"
#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

const double kStated = std::ldexp(1, -9);

std::int64_t four_rounds(std::int64_t /*columns*/) { return 4; }

Evaluated reciprocal_in(int ring_bits) {
  return {[=](Session& s, const Share& x) { return reciprocal(s, x, ring_bits); }, four_rounds};
}

Evaluated inverse_square_root_in(int ring_bits, int highest) {
  return {[=](Session& s, const Share& x) { return inverse_square_root(s, x, ring_bits, highest); }, four_rounds};
}

// Errors above 2^16 count a quarter.
double relative(const Matrix& seen, const Matrix& x, double power) {
  double worst = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double error = std::abs(seen.data()[i] * std::pow(x.data()[i], -power) - 1);
    worst = std::max(worst, x.data()[i] > 1 << 16 ? error / 4 : error);
  }
  return worst;
}

// Every power of two, and its neighbours on both sides.
Matrix edges(int fraction_bits, int highest = kHighestOctave) {
  Matrix x((highest + 9) * 3 - 2, 1);
  Eigen::Index i = 0;
  for (int e = -8; e <= highest; ++e) {
    for (int side = -1; side <= 1; ++side) {
      if ((e == -8 && side < 0) || (e == highest && side > 0)) continue;
      x(i++, 0) = std::ldexp(1, e) + side * std::ldexp(1, -fraction_bits);
    }
  }
  return x;
}

Matrix dense(int fraction_bits, int highest = kHighestOctave, int count = 40000 / (kSlowdown * kSlowdown) + 1) {
  return evenly_by_factor(std::ldexp(1, -8), std::ldexp(1, highest), count, fraction_bits);
}

struct Root {
  int highest, widest_ring;
};
constexpr Root kRoots[] = {{kHighestOctave, 49}, {kHighestOctaveOfWideRoot, 47}};

TEST(Reciprocal, IsWithinItsErrorOverItsDomain) {
  double worst = 0;
  for (const Ring ring : kRings) {
    for (const Matrix& x : {dense(ring.f), edges(ring.f)}) {
      for (const int ring_bits : {35, 48}) {
        worst = std::max(worst, relative(in_the_clear(reciprocal_in(ring_bits), x, {ring.k, ring.f}), x, -1));
      }
    }
  }
  EXPECT_LE(worst, kStated);
  RecordProperty("worst_in_2_to_minus_16", static_cast<int>(std::ldexp(worst, 16)));
}

TEST(InverseSquareRoot, IsWithinItsErrorOverItsDomain) {
  double worst = 0;
  for (const Ring ring : kRings) {
    for (const Root& root : kRoots) {
      for (const Matrix& x : {dense(ring.f, root.highest), edges(ring.f, root.highest)}) {
        for (const int ring_bits : {25, root.widest_ring}) {
          const Matrix seen = in_the_clear(inverse_square_root_in(ring_bits, root.highest), x, {ring.k, ring.f});
          worst = std::max(worst, relative(seen, x, -0.5));
        }
      }
    }
  }
  EXPECT_LE(worst, kStated);
  RecordProperty("worst_in_2_to_minus_16", static_cast<int>(std::ldexp(worst, 16)));
}

TEST(Reciprocal, AndInverseSquareRootOfPartiesAreWithinTheirErrorAndCostWhatIsStated) {
  for (const int n : kSlowdown > 1 ? std::vector{2, 3} : std::vector{1, 2, 3, 5, 8}) {
    double worst = 0;
    for (const Ring ring : kRings) {
      const auto numbers = [&](int highest) { return n == 3 ? edges(ring.f, highest) : dense(ring.f, highest, 1501); };
      const Matrix x = numbers(kHighestOctave);
      worst = std::max(worst, relative(by_parties(n, reciprocal_in(40), x, {ring.k, ring.f}), x, -1));
      for (const Root& root : kRoots) {
        const Matrix y = numbers(root.highest);
        const Matrix seen = by_parties(n, inverse_square_root_in(40, root.highest), y, {ring.k, ring.f});
        worst = std::max(worst, relative(seen, y, -0.5));
      }
    }
    EXPECT_LE(worst, kStated) << n << " parties";
    RecordProperty("worst_in_2_to_minus_16_of_" + std::to_string(n), static_cast<int>(std::ldexp(worst, 16)));
    for (const Shape shape : {Shape{0, 3}, Shape{1, 65}, Shape{5, 1}}) {
      const Matrix x = Matrix::Constant(shape.rows, shape.cols, 2.5);
      EXPECT_LE(relative(by_parties(n, reciprocal_in(35), x, {51, 13}), x, -1), kStated);
    }
  }
}

TEST(Reciprocal, OutsideOfItsDomainIsSomeFiniteValueNextToRightOnes) {
  Matrix x(1, 4);
  x << 0, -3, std::ldexp(1, -12), 2;
  ClearSession session(1, 1);
  const Share result = reciprocal(session, input(session, 0, {1, 4}, {64, 13}, &x, "x"), 40);
  const Matrix seen = value_of(reveal(session, result, To::everyone(), "the result of a test"));
  ASSERT_FALSE(session.range_violations().empty());
  EXPECT_EQ(session.range_violations().front().what, "normalisation");
  EXPECT_LT(seen.cwiseAbs().maxCoeff(), std::ldexp(1, 10));
  EXPECT_NEAR(seen(0, 3), 0.5, 0.5 * kStated);
}

}  // namespace
}  // namespace tacit::mpc
