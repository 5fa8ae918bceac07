// The sampler draws exactly the discrete Gaussian. Seeds are fixed, so a test either always passes or always fails.
#include "mpc/random/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "tests/mpc/random/fixed_seed.h"

namespace tacit::mpc {
namespace {

// P(x), summed over the whole range.
std::map<std::int64_t, double> probabilities(double variance) {
  std::map<std::int64_t, double> p;
  double all = 0;
  const auto most = static_cast<std::int64_t>(12 * std::sqrt(variance));
  for (std::int64_t x = -most; x <= most; ++x) {
    all += p[x] = std::exp(-static_cast<double>(x) * static_cast<double>(x) / (2 * variance));
  }
  for (auto& [x, value] : p) value /= all;
  return p;
}

// In standard deviations (Wilson and Hilferty). Numbers expected less than eight times count as one.
double misfit(const DiscreteGaussian& gaussian, double variance, std::int64_t count, unsigned char seed) {
  UniformWords random(fixed_seed(seed));
  std::map<std::int64_t, double> seen;
  for (std::int64_t i = 0; i < count; ++i) ++seen[gaussian.draw(random)];
  double chi = 0, rest_expected = 0, rest_seen = 0, cells = 0, inside = 0;
  for (const auto& [x, p] : probabilities(variance)) {
    const double expected = p * static_cast<double>(count);
    inside += seen[x];
    if (expected < 8) {
      rest_expected += expected;
      rest_seen += seen[x];
      continue;
    }
    chi += (seen[x] - expected) * (seen[x] - expected) / expected;
    ++cells;
  }
  EXPECT_EQ(inside, static_cast<double>(count)) << "numbers beyond 12 sigma";
  if (rest_expected > 0) chi += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
  const double freedom = rest_expected > 0 ? cells : cells - 1, part = 2 / (9 * freedom);
  return (std::cbrt(chi / freedom) - (1 - part)) / std::sqrt(part);
}

TEST(DiscreteGaussian, HasTheProbabilitiesOfItsVariance) {
  for (const std::int64_t variance : {1, 6, 100}) {
    const double z = misfit(DiscreteGaussian::of_variance(variance), static_cast<double>(variance), 400000, 1);
    EXPECT_LT(std::abs(z), 4) << "variance " << variance;
  }
}

TEST(DiscreteGaussian, OfSigmaIsThatOfItsSquare) {
  for (const std::int64_t sigma : {1, 2, 10}) {
    const double z = misfit(DiscreteGaussian::of_sigma(sigma), static_cast<double>(sigma * sigma), 400000, 2);
    EXPECT_LT(std::abs(z), 4) << "sigma " << sigma;
  }
}

// The test itself can fail: a variance that is five percent off.
TEST(DiscreteGaussian, OfAnotherVarianceWouldBeFound) {
  EXPECT_GT(misfit(DiscreteGaussian::of_variance(100), 105, 400000, 1), 8);
  EXPECT_GT(misfit(DiscreteGaussian::of_variance(6), 6.3, 400000, 1), 8);
}

struct Moments {
  double mean = 0, variance = 0, fourth = 0, kolmogorov = 0;
};

Moments moments(std::int64_t sigma, std::int64_t count, unsigned char seed) {
  const DiscreteGaussian gaussian = DiscreteGaussian::of_sigma(sigma);
  UniformWords random(fixed_seed(seed));
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& value : x) value = static_cast<double>(gaussian.draw(random)) / static_cast<double>(sigma);
  std::sort(x.begin(), x.end());
  Moments all;
  const auto n = static_cast<double>(count);
  for (std::size_t i = 0; i < x.size(); ++i) {
    all.mean += x[i] / n;
    all.variance += x[i] * x[i] / n;
    all.fourth += std::pow(x[i], 4) / n;
    const double below = 0.5 * std::erfc(-x[i] / std::sqrt(2)), at = static_cast<double>(i) / n;
    all.kolmogorov = std::max({all.kolmogorov, std::abs(below - at), std::abs(below - at - 1 / n)});
  }
  all.kolmogorov *= std::sqrt(n);
  return all;
}

// As wide as in training: 45 fraction bits. The bounds are five standard deviations of each statistic, and for
// Kolmogorov's a probability of 10^-4.
TEST(DiscreteGaussian, OfAWidthAsInTrainingHasTheMomentsOfAGaussian) {
  constexpr std::int64_t kCount = 200000;
  const double deviation = std::sqrt(1.0 / kCount);
  for (const std::int64_t sigma : {std::int64_t{3} << 44, DiscreteGaussian::kMostSigma}) {
    const Moments seen = moments(sigma, kCount, 3);
    EXPECT_LT(std::abs(seen.mean), 5 * deviation);
    EXPECT_LT(std::abs(seen.variance - 1), 5 * std::sqrt(2.0) * deviation);
    EXPECT_LT(std::abs(seen.fourth - 3), 5 * std::sqrt(96.0) * deviation);
    EXPECT_LT(seen.kolmogorov, 2.23);
  }
}

// The low bits of a wide draw are uniform: no bit is stuck.
TEST(DiscreteGaussian, OfAWidthAsInTrainingHasUniformLowBits) {
  const DiscreteGaussian gaussian = DiscreteGaussian::of_sigma(std::int64_t{3} << 44);
  UniformWords random(fixed_seed(4));
  constexpr int kBits = 40, kCount = 40000;
  std::vector<int> ones(kBits);
  for (int i = 0; i < kCount; ++i) {
    const auto x = static_cast<std::uint64_t>(gaussian.draw(random));
    for (int bit = 0; bit < kBits; ++bit) ones[static_cast<std::size_t>(bit)] += static_cast<int>((x >> bit) & 1);
  }
  for (const int count : ones) EXPECT_LT(std::abs(count - kCount / 2), 5 * std::sqrt(kCount) / 2);
}

TEST(DiscreteGaussian, RefusesASigmaThatItsArithmeticDoesNotHold) {
  EXPECT_THROW(DiscreteGaussian::of_sigma(0), BrokenInvariant);
  EXPECT_THROW(DiscreteGaussian::of_sigma(DiscreteGaussian::kMostSigma + 1), BrokenInvariant);
  EXPECT_THROW(DiscreteGaussian::of_variance(0), BrokenInvariant);
  EXPECT_THROW(DiscreteGaussian::of_variance(DiscreteGaussian::kMostVariance + 1), BrokenInvariant);
}

TEST(UniformWords, BelowALimitAreUniform) {
  UniformWords random(fixed_seed(5));
  for (const int limit : {1, 2, 3, 7, 100}) {
    std::vector<double> seen(static_cast<std::size_t>(limit));
    constexpr int kCount = 100000;
    for (int i = 0; i < kCount; ++i) ++seen.at(static_cast<std::size_t>(random.below(static_cast<unsigned>(limit))));
    for (const double count : seen) EXPECT_LT(std::abs(count - kCount / limit), 5 * std::sqrt(kCount / limit) + 1);
  }
  // More than a word: the high part of three times 2^100 is 0, 1 or 2.
  const DoubleWord unit = DoubleWord{1} << 100;
  std::vector<double> seen(3);
  for (int i = 0; i < 30000; ++i) ++seen.at(static_cast<std::size_t>(random.below(3 * unit) / unit));
  for (const double count : seen) EXPECT_LT(std::abs(count - 10000), 500);
}

TEST(UniformWords, AreEqualForEqualSeedsAndDoNotRepeat) {
  UniformWords one(fixed_seed(6)), same(fixed_seed(6)), other(fixed_seed(7));
  std::vector<std::uint64_t> seen;
  int equal = 0;
  for (int i = 0; i < 5000; ++i) {
    seen.push_back(one.next());
    EXPECT_EQ(seen.back(), same.next());
    equal += seen.back() == other.next() ? 1 : 0;
  }
  EXPECT_EQ(equal, 0);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

}  // namespace
}  // namespace tacit::mpc
