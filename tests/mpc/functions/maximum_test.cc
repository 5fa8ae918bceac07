// The maximum of every row and its column are exact. Among equal elements the first one wins.
#include "mpc/functions/maximum.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/mpc/functions/evaluate.h"

namespace tacit::mpc {
namespace {

constexpr int kWholeBits = 6;

Matrix rows_of(Shape shape, int fraction_bits, unsigned seed) {
  Matrix x(shape.rows, shape.cols);
  std::mt19937_64 random(seed);
  const double edge = std::ldexp(1, kWholeBits) - std::ldexp(1, -fraction_bits);
  std::uniform_int_distribution<std::int64_t> units(-(1 << 18), 1 << 18), kind(0, 9);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const std::int64_t which = kind(random);
    const double some = std::ldexp(static_cast<double>(units(random)), -12);
    x.data()[i] = which == 0 ? edge : which == 1 ? -edge : which < 5 ? 1.25 : std::clamp(some, -edge, edge);
  }
  return x;
}

// The maximum, with its mark (one-hot argmax) in the other columns.
Evaluated largest_in(int ring_bits) {
  return {[=](Session& s, const Share& x) {
            const Largest largest = maximum(s, x, kWholeBits, ring_bits);
            return beside(largest.value, refine(largest.which, x.fraction_bits()));
          },
          [](std::int64_t columns) { return columns == 1   ? 0
                                            : columns <= 7 ? 3
                                                           : 4; }};
}

Matrix expected(const Matrix& x) {
  Matrix both = Matrix::Zero(x.rows(), x.cols() + 1);
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    Eigen::Index first = 0;
    for (Eigen::Index c = 1; c < x.cols(); ++c) {
      if (x(r, c) > x(r, first)) first = c;
    }
    both(r, 0) = x(r, first);
    both(r, 1 + first) = 1;
  }
  return both;
}

constexpr Shape kShapes[] = {{0, 3}, {5, 1}, {64, 2}, {31, 3}, {20, 7}, {9, 8}, {3, 9}, {2, 40}};

TEST(Maximum, AndWhichItIsAreExactInTheClear) {
  for (const Shape shape : kShapes) {
    for (const Ring ring : kRings) {
      const Matrix x = rows_of({shape.rows * 5, shape.cols}, ring.f, 1);
      EXPECT_EQ(in_the_clear(largest_in(ring.k), x, {ring.k, ring.f}), expected(x)) << shape.cols << " columns";
    }
  }
}

TEST(Maximum, AndWhichItIsAreExactForPartiesAndCostWhatIsStated) {
  for (const int n : kPartyCounts) {
    for (const Shape shape : kShapes) {
      for (const Ring ring : {kRings[1], kRings[3]}) {
        const Matrix x = rows_of(shape, ring.f, 2);
        const int narrow = maximum_ring_bits(ring.f, kWholeBits);
        EXPECT_EQ(by_parties(n, largest_in(narrow), x, {ring.k, ring.f}), expected(x)) << shape.cols << " columns";
      }
    }
  }
}

// The maximum, its mark, and a mark for every element within 5 of the maximum.
constexpr double kSpan = 5;

Evaluated near_in(int ring_bits) {
  const Near near{kSpan, ring_bits};
  return {[=](Session& s, const Share& x) {
            const Largest largest = maximum_and_near(s, x, kWholeBits + 1, ring_bits, near);
            return beside(beside(largest.value, refine(largest.which, x.fraction_bits())),
                          refine(*largest.near, x.fraction_bits()));
          },
          [](std::int64_t columns) { return columns == 1   ? 0
                                            : columns == 2 ? 3
                                                           : 4; }};
}

Matrix expected_near(const Matrix& x) {
  Matrix all(x.rows(), 2 * x.cols() + 1);
  if (x.rows() == 0) return all;
  all << expected(x), ((x.colwise() - x.rowwise().maxCoeff()).array() >= -kSpan).cast<double>().matrix();
  return all;
}

TEST(Maximum, AndWhatIsNearItAreExactAndCostWhatIsStated) {
  for (const int n : kPartyCounts) {
    for (const Shape shape : kShapes) {
      for (const Ring ring : {kRings[1], kRings[3]}) {
        Matrix x = rows_of(shape, ring.f, 3);
        const double unit = std::ldexp(1, -ring.f);  // some rows at the threshold and one unit beside it
        for (Eigen::Index r = 0; r < x.rows(); r += 2) {
          for (Eigen::Index c = 0; c < x.cols(); ++c)
            x(r, c) = c % 4 == 0 ? 1 : 1 - kSpan + unit * static_cast<double>(c % 3 - 1);
        }
        const int narrow = maximum_ring_bits(ring.f, kWholeBits + 1);
        EXPECT_EQ(by_parties(n, near_in(narrow), x, {ring.k, ring.f}), expected_near(x)) << shape.cols << " columns";
      }
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
