// Softmax within 2^-10 over every declared range, and the likeliest class with it.
#include "mpc/functions/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/mpc/functions/evaluate.h"
#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

// Rows far apart, close together, all equal, and at both edges.
Matrix logits(Shape shape, int fraction_bits, unsigned seed) {
  Matrix x(shape.rows, shape.cols);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr double kSpreads[] = {20, 1, 0, 5, 0.1};
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    const double spread = kSpreads[r % 5], middle = (20 - spread) * uniform(random);
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      const double value = r % 7 == 6 ? (uniform(random) > 0 ? 20 : -20) : middle + spread * uniform(random);
      x(r, c) = std::ldexp(std::nearbyint(std::ldexp(value, fraction_bits)), -fraction_bits);
    }
  }
  return x;
}

Matrix expected_softmax(const Matrix& x) {
  Matrix p = (x.colwise() - x.rowwise().maxCoeff()).array().exp();
  for (Eigen::Index r = 0; r < p.rows(); ++r) p.row(r) /= p.row(r).sum();
  return p;
}

// The rounds on the card: e^x saturates for logits beyond 30.
std::int64_t softmax_rounds(std::int64_t columns, double most) {
  if (columns == 1) return 3;
  return columns <= (most <= 30 ? 7 : 2) ? 6 : 7;
}

Evaluated softmax_over(double most, Format result) {
  return {[=](Session& s, const Share& x) { return softmax(s, x, most, result).probability; },
          [=](std::int64_t columns) { return softmax_rounds(columns, most); }};
}
Evaluated softmax_to(Format result) { return softmax_over(20, result); }

double stated(Format result, int parties) {
  return std::ldexp(1, -12) + rounding(parties) * (std::ldexp(1, -13) + std::ldexp(1, -result.fraction_bits));
}

TEST(Softmax, IsWithinItsErrorForLogitsWithin20) {
  double worst = 0;
  for (const std::int64_t columns : {1, 2, 3, 7, 8, 9, 40}) {
    for (const Ring ring : kRings) {
      const Matrix x = logits({(columns == 40 ? 400 : 2000) / kSlowdown, columns}, ring.f, 1);
      const Format result{softmax_widest_ring(columns, ring.f), ring.f};
      const double error =
          largest_difference(in_the_clear(softmax_to(result), x, {ring.k, ring.f}), expected_softmax(x));
      EXPECT_LE(error, stated(result, 1)) << columns << " columns, k " << ring.k << " f " << ring.f;
      EXPECT_LE(error, std::ldexp(1, -10));
      worst = std::max(worst, error);
    }
  }
  RecordProperty("worst_in_2_to_minus_16", static_cast<int>(std::ldexp(worst, 16)));
}

TEST(Softmax, OfPartiesIsWithinItsErrorAndCostsWhatIsStated) {
  for (const int n : kPartyCounts) {
    double worst = 0;
    for (const Shape shape : {Shape{0, 3}, Shape{5, 1}, Shape{700, 7}, Shape{9, 2}, Shape{30, 40}}) {
      for (const Ring ring : {kRings[1], kRings[3]}) {
        const Matrix x = logits(shape, ring.f, 2);
        const Format result{shape.cols == 7 ? softmax_widest_ring(7, ring.f) : 18, ring.f};
        const double error =
            largest_difference(by_parties(n, softmax_to(result), x, {ring.k, ring.f}), expected_softmax(x));
        EXPECT_LE(error, std::min(stated(result, n), n < 5 ? std::ldexp(1, -10) : 1))
            << shape.cols << " columns, k " << ring.k << " f " << ring.f;
        worst = std::max(worst, error);
      }
    }
    RecordProperty("worst_in_2_to_minus_16_of_" + std::to_string(n), static_cast<int>(std::ldexp(worst, 16)));
  }
}

TEST(Softmax, TellsTheLogarithmOfTheSumToo) {
  const Evaluated log_sum{[](Session& s, const Share& logit) {
                            return softmax(s, logit, 20, {18, 12}, LogSum::kAsked).log_sum;
                          },
                          [](std::int64_t columns) { return softmax_rounds(columns, 20); }};
  for (const std::int64_t columns : {1, 2, 7, 40}) {
    for (const Ring ring : kRings) {
      const Matrix x = logits({100, columns}, ring.f, 4);
      const Matrix exact =
          (x.colwise() - x.rowwise().maxCoeff()).array().exp().rowwise().sum().log().matrix() + x.rowwise().maxCoeff();
      for (const int n : {2, 3}) {
        const double error = largest_difference(by_parties(n, log_sum, x, {ring.k, ring.f}), exact);
        EXPECT_LE(error, std::ldexp(1, -12) + rounding(n) * std::ldexp(1, -ring.f))
            << columns << " columns, k " << ring.k << " f " << ring.f << ", n " << n;
      }
    }
  }
}

TEST(Softmax, NamesTheLikeliestClass) {
  const Matrix x = logits({50, 7}, 13, 3);
  const auto likeliest = [](Session& s, const Share& logit) { return softmax(s, logit, 20, {18, 13}).likeliest; };
  const Matrix seen =
      by_parties(3, {likeliest, [](std::int64_t columns) { return softmax_rounds(columns, 20); }}, x, {64, 13});
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    Eigen::Index largest = 0;
    x.row(r).maxCoeff(&largest);
    EXPECT_EQ(seen.row(r).sum(), 1);
    EXPECT_EQ(seen(r, largest), 1);
  }
}

// A wide range: its edges, the threshold of saturation and a unit beside it, and values between.
Matrix wide_logits(Shape shape, double most, int fraction_bits, unsigned seed) {
  Matrix x(shape.rows, shape.cols);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double unit = std::ldexp(1, -fraction_bits);
  const double steps[] = {0, 27, 28, 28 + unit, 28 - unit, 31.9, 32, 60, 64 - unit, 64, 64 + unit, 100, 0.5 * most};
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    const double top = r % 3 == 0 ? most : most * uniform(random);
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      const double step = steps[random() % std::size(steps)];
      const double value = r % 4 == 3 ? most * uniform(random) : r % 4 == 2 ? (c % 2 == 0 ? most : -most) : top - step;
      x(r, c) = std::ldexp(std::nearbyint(std::ldexp(std::clamp(value, -most, most), fraction_bits)), -fraction_bits);
    }
  }
  return x;
}

TEST(Softmax, IsWithinItsErrorOverEveryDeclaredRange) {
  for (const double most : {30.0, 31.0, 128.0, 1000.0, std::ldexp(1, 20)}) {
    for (const std::int64_t columns : {1, 2, 3, 7, 8, 40}) {
      for (const Ring ring : kRings) {
        const Matrix x = wide_logits({(columns == 40 ? 200 : 600) / kSlowdown, columns}, most, ring.f, 5);
        const Format result{softmax_widest_ring(columns, ring.f), ring.f};
        const double error =
            largest_difference(in_the_clear(softmax_over(most, result), x, {ring.k, ring.f}), expected_softmax(x));
        EXPECT_LE(error, stated(result, 1)) << "±" << most << ", " << columns << " columns, f " << ring.f;
      }
    }
  }
}

TEST(Softmax, OfPartiesIsWithinItsErrorOverEveryDeclaredRangeAndCostsWhatIsStated) {
  for (const int n : kSlowdown > 1 ? std::vector{3} : std::vector{2, 3, 5}) {
    for (const double most : {128.0, std::ldexp(1, 20)}) {
      for (const Shape shape : {Shape{0, 3}, Shape{5, 1}, Shape{31, 2}, Shape{60, 7}, Shape{21, 8}, Shape{9, 40}}) {
        const Matrix x = wide_logits(shape, most, 13, 6);
        const double error =
            largest_difference(by_parties(n, softmax_over(most, {18, 13}), x, {51, 13}), expected_softmax(x));
        EXPECT_LE(error, std::min(stated({18, 13}, n), n < 5 ? std::ldexp(1, -10) : 1))
            << "±" << most << ", " << shape.cols << " columns, n " << n;
      }
    }
  }
}

TEST(Softmax, GivesAnElementFarBelowTheMaximumExactlyNothing) {
  Matrix x(3, 3);
  x << 500000, 0, -500000, -1000000, 1000000, 1000000, 64, 0, 128;  // 64 lower, where e^x repeats without saturation
  for (const int n : {2, 3, 5}) {
    const Matrix seen = by_parties(n, softmax_over(1 << 20, {18, 13}), x, {64, 13});
    for (const auto& [row, column] : {std::pair{0, 1}, {0, 2}, {1, 0}, {2, 0}, {2, 1}}) {
      EXPECT_LE(std::abs(seen(row, column)), rounding(n) * std::ldexp(1, -13)) << row << ", " << column;
    }
    EXPECT_NEAR(seen(1, 1), 0.5, std::ldexp(1, -10));
  }
}

TEST(Softmax, TellsTheLogarithmOfTheSumOverEveryDeclaredRange) {
  for (const double most : {128.0, std::ldexp(1, 20)}) {
    const Evaluated log_sum{[=](Session& s, const Share& logit) {
                              return softmax(s, logit, most, {18, 13}, LogSum::kAsked).log_sum;
                            },
                            [=](std::int64_t columns) { return softmax_rounds(columns, most); }};
    for (const std::int64_t columns : {1, 2, 7, 40}) {
      const Matrix x = wide_logits({30, columns}, most, 13, 7);
      const Matrix exact =
          (x.colwise() - x.rowwise().maxCoeff()).array().exp().rowwise().sum().log().matrix() + x.rowwise().maxCoeff();
      for (const int n : {2, 3}) {
        EXPECT_LE(largest_difference(by_parties(n, log_sum, x, {51, 13}), exact),
                  std::ldexp(1, -12) + rounding(n) * std::ldexp(1, -13))
            << "±" << most << ", " << columns << " columns, n " << n;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
