// Fitted bins are the least squares of all noisy counts, and have the stated noise. Medians of them are far less moved by noise than
// medians of bins with noise of their own.
#include "gnn/clean/count_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gnn/clean/number_bins.h"
#include "gnn/clean/statistics.h"

namespace tacit::gnn {
namespace {

const std::vector<std::size_t> kSizes = {9, 64, 65, 121, 513, 4096};

std::vector<std::int64_t> random_bins(std::size_t size, std::mt19937_64& random) {
  std::vector<std::int64_t> bins(size);
  for (std::int64_t& bin : bins) bin = static_cast<std::int64_t>(random() % 50);
  return bins;
}

std::vector<double> with_noise(const std::vector<std::int64_t>& bins, double deviation, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> counts;
  for (const std::int64_t count : bins) counts.push_back(static_cast<double>(count) + deviation * noise(random));
  for (const std::int64_t count : counts_of_groups(bins)) {
    counts.push_back(static_cast<double>(count) + deviation * noise(random));
  }
  return counts;
}

TEST(CountTree, HasLevelsOfGroupsOfEight) {
  EXPECT_EQ(levels_of_tree(4096), (std::vector<std::size_t>{4096, 512, 64, 8}));
  EXPECT_EQ(levels_of_tree(121), (std::vector<std::size_t>{121, 16, 2}));
  EXPECT_EQ(levels_of_tree(8), (std::vector<std::size_t>{8}));
  EXPECT_EQ(counts_of_groups(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}), (std::vector<std::int64_t>{36, 9}));
}

TEST(CountTree, GivesTheBinsWithoutNoise) {
  std::mt19937_64 random(1);
  for (const std::size_t size : kSizes) {
    const std::vector<std::int64_t> bins = random_bins(size, random);
    const std::vector<double> fitted = fitted_bins(size, with_noise(bins, 0, random));
    for (std::size_t i = 0; i < size; ++i) ASSERT_NEAR(fitted[i], static_cast<double>(bins[i]), 1e-9) << size;
  }
}

// The normal equations of least squares: the residuals of a bin and of the groups around it add up to zero.
TEST(CountTree, FitsAllCountsByLeastSquares) {
  std::mt19937_64 random(2);
  for (const std::size_t size : kSizes) {
    const std::vector<double> counts = with_noise(random_bins(size, random), 7, random);
    std::vector<double> below = fitted_bins(size, counts), left(size);
    std::size_t next = 0, width = 1;
    for (const std::size_t level : levels_of_tree(size)) {
      ASSERT_EQ(below.size(), level);
      for (std::size_t bin = 0; bin < size; ++bin) left[bin] += counts[next + bin / width] - below[bin / width];
      next += level;
      width *= 8;
      std::vector<double> groups((level + 7) / 8);
      for (std::size_t i = 0; i < level; ++i) groups[i / 8] += below[i];
      below = groups;
    }
    for (const double one : left) ASSERT_NEAR(one, 0, 1e-8) << size;
  }
}

TEST(CountTree, HasTheStatedNoise) {
  std::mt19937_64 random(3);
  constexpr int kTimes = 1500;
  for (const std::size_t size : {std::size_t{121}, std::size_t{513}, std::size_t{4096}}) {
    for (const std::size_t last : {std::size_t{3}, size / 3, size / 2}) {
      double squares = 0;
      for (int time = 0; time < kTimes; ++time) {
        const std::vector<double> fitted = fitted_bins(size, with_noise(std::vector<std::int64_t>(size), 1, random));
        double half = 0;
        for (std::size_t bin = 0; bin < size; ++bin) half += bin <= last ? fitted[bin] / 2 : -fitted[bin] / 2;
        squares += half * half;
      }
      EXPECT_NEAR(std::sqrt(squares / kTimes) / noise_of_half(size, last), 1, 5 / std::sqrt(2. * kTimes))
          << size << ", " << last;
    }
  }
}

// 1,000 ages, and the noise of epsilon 1 and delta 1e-4 for a table with one median (a row moves `kept` and four counts).
TEST(CountTree, MovesAMedianFarLessThanBinsWithNoiseOfTheirOwn) {
  CleaningRules rules;
  rules.columns.resize(1);
  rules.columns[0].range = {0, 1};
  rules.columns[0].repair = CleaningColumn::Repair::kMedian;
  constexpr double kMultiplier = 3.2;
  std::mt19937_64 random(4);
  std::normal_distribution<double> age(0.4, 0.18);
  std::normal_distribution<double> noise(0, kMultiplier * std::sqrt(2.));
  double by_tree = 0, alone = 0;
  constexpr int kTimes = 100;
  for (int time = 0; time < kTimes; ++time) {
    CleaningStatistics all(rules);
    all.kept = 1000;
    std::vector<std::int64_t>& bins = all.columns[0].counts;
    for (int row = 0; row < 1000; ++row) ++bins[bin_of(rules.columns[0], std::clamp(age(random), 0.0, 1.0))];
    all.columns[0].imputed = 1;
    const double exact = replacements(rules, all)[0];
    all.parties = 2;
    all.noise = NoiseOnCounts{1, std::string(64, '0')};
    const std::vector<std::int64_t> known = bins;
    for (std::int64_t& bin : bins) bin += std::llround(noise(random));
    alone += std::abs(replacements(rules, all)[0] - exact);
    const std::vector<double> fitted =
        fitted_bins(bins.size(), with_noise(known, kMultiplier * std::sqrt(1 + 4.), random));
    double below = 0;
    std::int64_t told = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      below += fitted[bin];
      bins[bin] = std::llround(below) - told;
      told += bins[bin];
    }
    by_tree += std::abs(replacements(rules, all)[0] - exact);
  }
  EXPECT_LT(by_tree / kTimes, 0.008);
  EXPECT_GT(alone / kTimes, 0.03);
}

}  // namespace
}  // namespace tacit::gnn
