// Statistics of all parties' tables, with noise: how far one row moves them, how large the noise is, and who is asked before.
#include "gnn/clean/summed_statistics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <random>

#include "gnn/clean/cleaning.h"
#include "gnn/clean/count_tree.h"
#include "net/error.h"
#include "net/memory/memory_mesh.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

using Repair = CleaningColumn::Repair;
using testing::HasSubstr;

CleaningColumn codes(const std::string& name, Repair repair) {
  CleaningColumn column;
  column.name = name;
  column.codes = {{"0", 0}, {"1", 1}, {"2", 5}};
  column.repair = repair;
  return column;
}

CleaningColumn numbers(const std::string& name, Repair repair, double low, double high) {
  CleaningColumn column;
  column.name = name;
  column.range = {low, high};
  column.repair = repair;
  return column;
}

// Two columns of codes, a median, and means; a row without its label is dropped.
CleaningRules rules(int means = 2) {
  CleaningRules rules;
  rules.columns = {codes("a", Repair::kMode), codes("b", Repair::kMean), numbers("c", Repair::kMedian, -3, 9)};
  for (int i = 0; i < means; ++i) rules.columns.push_back(numbers(fmt::format("m{}", i), Repair::kMean, -1, 1 + i));
  rules.columns.push_back(codes("y", Repair::kDrop));
  rules.columns.back().role = CleaningColumn::Role::kClass;
  return rules;
}

std::string header(const CleaningRules& by) {
  std::string line;
  for (const CleaningColumn& column : by.columns) line += column.name + ",";
  line.back() = '\n';
  return line;
}

std::string row(const CleaningRules& by, std::mt19937& random) {
  std::string line;
  for (const CleaningColumn& column : by.columns) {
    const unsigned draw = random() % 8;
    if (draw >= 2) {
      if (column.codes.empty()) {
        const auto [low, high] = *column.range;  // the ends of the range move the sums most
        line += fmt::format("{}", draw < 4   ? low
                                  : draw < 6 ? high
                                             : low + (high - low) * static_cast<double>(random() % 1000) / 999);
      } else {
        line += fmt::format("{}", column.codes[draw % 3].text);
      }
    }
    line += ',';
  }
  line.back() = '\n';
  return line;
}

CleaningStatistics counted(const CleaningRules& by, const std::string& rows) {
  const std::string table = header(by) + rows;
  const MemorySource file("raw.csv", std::as_bytes(std::span(table)));
  return Cleaning(file, by, {}).count();
}

CleaningStatistics table(const CleaningRules& by, int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) text += row(by, random);
  return counted(by, text);
}

TEST(SummedStatistics, MoveByNoMoreThanTheInfluenceOfARow) {
  for (const int means : {0, 1, 7}) {
    const CleaningRules by = rules(means);
    std::mt19937 random(3);
    std::string others;
    for (int i = 0; i < 50; ++i) others += row(by, random);
    for (const int bits : {1, 24, 29}) {
      const std::vector<double> without = numbers_in_units(by, counted(by, others), bits);
      double most = 0;
      for (int i = 0; i < 300; ++i) {
        const std::vector<double> with = numbers_in_units(by, counted(by, others + row(by, random)), bits);
        ASSERT_EQ(with.size(), without.size());
        double squared = 0;
        for (std::size_t k = 0; k < with.size(); ++k) squared += std::pow(std::ldexp(with[k] - without[k], -bits), 2);
        most = std::max(most, std::sqrt(squared));
      }
      EXPECT_LE(most, influence_of_row(by)) << means << " means, bits " << bits;
      EXPECT_GT(most, 0.99 * influence_of_row(by)) << "and a row can do it";
    }
  }
  EXPECT_EQ(influence_of_row(rules(0)), std::sqrt(7.)) << "kept, two columns of counts, and four levels of a median";
  EXPECT_EQ(influence_of_row(rules(4)), std::sqrt(8.));
  EXPECT_EQ(revealed_numbers(rules(0), false), 1 + 4 + 4 + 4097);
  EXPECT_EQ(revealed_numbers(rules(0), true), 1 + 4 + 4 + 4097 + 512 + 64 + 8);
}

struct Asked {
  std::atomic<int> reserved = 0, revealing = 0;
};

// Sums with noise at parties that have these tables.
std::vector<CleaningStatistics> summed(const CleaningRules& by, const std::vector<CleaningStatistics>& own,
                                       const StatisticsNoise& noise, Asked* asked = nullptr) {
  const int parties = static_cast<int>(own.size());
  std::vector<CleaningStatistics> all(own.size());
  net::run_ranks(net::memory_mesh(parties, 0), [&](net::Mesh& mesh) {
    const NoisySums noisy = {noise,
                             [&](const mpc::Nonce&) {
                               if (asked != nullptr) ++asked->reserved;
                             },
                             [&] {
                               if (asked == nullptr) return;
                               EXPECT_EQ(asked->reserved, parties) << "all have reserved it";
                               ++asked->revealing;
                             }};
    const auto rank = static_cast<std::size_t>(mesh.rank());
    all[rank] = sum_over_parties(mesh, by, own[rank], &noisy);
  });
  return all;
}

class Noise : public testing::TestWithParam<int> {};

std::vector<CleaningStatistics> uneven_tables(const CleaningRules& by, int parties) {
  std::vector<CleaningStatistics> own;
  for (int party = 0; party < parties; ++party)
    own.push_back(table(by, party == 0 ? 3000 : 7 + party, 5U + static_cast<unsigned>(party)));
  return own;
}

// 4,096 bins have a draw each. If each of n parties may face all others, the sum of their noise is sqrt(n) times the account's.
TEST_P(Noise, OnCountsHasTheStatedDeviation) {
  const int parties = GetParam();
  CleaningRules by = rules();
  by.columns[2].repair = Repair::kMode;  // the bins of a median are fitted (count_tree_test)
  by.columns[2].whole = true;
  by.columns[2].range = {0, kCleaningBins - 1};
  const std::vector<CleaningStatistics> own = uneven_tables(by, parties);
  CleaningStatistics exact = own[0];
  for (std::size_t i = 1; i < own.size(); ++i) exact.add(own[i]);
  const Budget budget{0.5, 1e-6};
  const StatisticsNoise noise = statistics_noise(by, budget, parties, parties - 1);
  EXPECT_LE(epsilon_of(std::vector{mechanism_of(noise.plan, noise.plan.adversaries.back(), 1)}, budget.delta).told(),
            0.5);
  EXPECT_NEAR(noise.deviation, noise.plan.noise * influence_of_row(by) * std::sqrt(parties), 1e-3 * noise.deviation);
  Asked asked;
  const std::vector<CleaningStatistics> all = summed(by, own, noise, &asked);
  EXPECT_EQ(asked.reserved, parties);
  EXPECT_EQ(asked.revealing, parties);
  for (const CleaningStatistics& one : all) EXPECT_EQ(text_of(one), text_of(all[0]));
  EXPECT_EQ(all[0].noise->deviation, noise.deviation);
  const CleaningStatistics again = summed(by, own, noise)[0];
  EXPECT_NE(again.noise->session, all[0].noise->session);
  double sum = 0, squares = 0, product = 0;
  const std::size_t bins = exact.columns[2].counts.size();
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const auto error = static_cast<double>(all[0].columns[2].counts[bin] - exact.columns[2].counts[bin]);
    const auto other = static_cast<double>(again.columns[2].counts[bin] - exact.columns[2].counts[bin]);
    sum += error;
    squares += error * error;
    product += error * other;
  }
  const auto n = static_cast<double>(bins);
  const double deviation = noise.deviation;
  EXPECT_LT(std::abs(sum / n), 5 * deviation / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n), deviation, 5 * deviation / std::sqrt(2 * n));
  EXPECT_LT(std::abs(product / n), 5 * deviation * deviation / std::sqrt(n)) << "every session has noise of its own";
}

// The noise of the numbers that occur once: kept rows, imputed values (twice the noise, in a column with a mean), and sums of
// values.
TEST_P(Noise, OnSumsHasTheStatedDeviation) {
  const int parties = GetParam();
  CleaningRules by = rules(1);
  by.columns.erase(by.columns.begin() + 2);  // the bins
  const std::vector<CleaningStatistics> own = uneven_tables(by, parties);
  CleaningStatistics exact = own[0];
  for (std::size_t i = 1; i < own.size(); ++i) exact.add(own[i]);
  const StatisticsNoise noise = statistics_noise(by, {1, 1e-6}, parties, parties - 1);
  const double deviation = noise.deviation;
  constexpr int kTimes = 400;
  std::array<double, 3> squares{};
  for (int time = 0; time < kTimes; ++time) {
    const CleaningStatistics all = summed(by, own, noise)[0];
    const auto kept = static_cast<double>(all.kept - exact.kept);
    const auto imputed = static_cast<double>(all.columns[2].imputed - exact.columns[2].imputed);
    const auto sum = std::ldexp(static_cast<double>(all.columns[2].sum - exact.columns[2].sum), -30);
    squares[0] += kept * kept;
    squares[1] += imputed * imputed;
    squares[2] += std::pow(sum - (kept - imputed) / 2, 2);  // of the sum around the middle of the range
  }
  const double tolerance = 5 / std::sqrt(2. * kTimes);
  EXPECT_NEAR(std::sqrt(squares[0] / kTimes) / deviation, 1, tolerance);
  EXPECT_NEAR(std::sqrt(squares[1] / kTimes) / deviation, 2, 2 * tolerance);
  EXPECT_NEAR(std::sqrt(squares[2] / kTimes) / deviation, 1, tolerance);
}

TEST_P(Noise, LeavesTheStatisticsOfManyRows) {
  const int parties = GetParam();
  const CleaningRules by = rules();
  std::vector<CleaningStatistics> own = uneven_tables(by, parties);
  for (CleaningStatistics& one : own) {
    for (int i = 0; i < 8; ++i) one.add(CleaningStatistics(one));  // 256 times as many rows
  }
  CleaningStatistics exact = own[0];
  for (std::size_t i = 1; i < own.size(); ++i) exact.add(own[i]);
  const CleaningStatistics all = summed(by, own, statistics_noise(by, {1, 1e-6}, parties, parties - 1))[0];
  const std::vector<double> expected = replacements(by, exact), found = replacements(by, all);
  EXPECT_EQ(found[0], expected[0]);
  EXPECT_NEAR(found[1], expected[1], 1e-2);
  EXPECT_NEAR(found[2], expected[2], 0.5);
  EXPECT_NEAR(found[3], expected[3], 1e-3);
  EXPECT_NEAR(found[4], expected[4], 1e-3);
}

// Sums of the fitted bins of a median have the noise that the account states.
TEST_P(Noise, OnAMedianHasTheStatedDeviation) {
  const int parties = GetParam();
  CleaningRules by = rules(0);
  const std::vector<CleaningStatistics> own = uneven_tables(by, parties);
  CleaningStatistics exact = own[0];
  for (std::size_t i = 1; i < own.size(); ++i) exact.add(own[i]);
  const StatisticsNoise noise = statistics_noise(by, {1, 1e-6}, parties, parties - 1);
  const auto half = [](const CleaningStatistics& of) {
    std::int64_t sum = 0;
    const std::vector<std::int64_t>& counts = of.columns[2].counts;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) sum += bin <= 2000 ? counts[bin] : -counts[bin];
    return static_cast<double>(sum) / 2;
  };
  constexpr int kTimes = 200;
  double squares = 0;
  for (int time = 0; time < kTimes; ++time) squares += std::pow(half(summed(by, own, noise)[0]) - half(exact), 2);
  const double expected = noise.deviation * noise_of_half(kCleaningBins, 2000);
  EXPECT_NEAR(std::sqrt(squares / kTimes) / expected, 1, 5 / std::sqrt(2. * kTimes));
  EXPECT_LT(expected, 5 * noise.deviation) << "not the 32 of bins with noise of their own";
}

INSTANTIATE_TEST_SUITE_P(Parties, Noise, testing::Values(2, 3), testing::PrintToStringParamName());

// The errors of two parties; `program` is given a rank and its noisy sums.
std::vector<std::string> errors(const std::function<void(int rank, NoisySums& noisy)>& change,
                                const CleaningRules& by = rules()) {
  std::vector<std::string> told;
  const auto thrown = net::errors_of_ranks(net::memory_mesh(2, 0), [&](net::Mesh& mesh) {
    NoisySums noisy = {statistics_noise(by, {1, 1e-6}, 2, 1), [](const mpc::Nonce&) {}, [] {}};
    change(mesh.rank(), noisy);
    try {
      sum_over_parties(mesh, by, table(by, 20, 1), &noisy);
    } catch (const Error& error) {
      mesh.abort(error.exit(), error.what(), -1);
      throw;
    }
  });
  for (const std::exception_ptr& error : thrown) told.push_back(net::message_of(error));
  return told;
}

TEST(SummedStatistics, AreNotRevealedUnlessAllPartiesReservedTheirPrivacy) {
  std::atomic<int> revealing = 0;
  const std::vector<std::string> told = errors([&](int rank, NoisySums& noisy) {
    noisy.before_reveal = [&] { ++revealing; };
    if (rank == 1) noisy.reserve = [](const mpc::Nonce&) { throw ConfigError("rank 1 has no budget left"); };
  });
  EXPECT_EQ(revealing, 0);
  for (const std::string& one : told) EXPECT_THAT(one, HasSubstr("rank 1 has no budget left"));
}

TEST(SummedStatistics, AreRefusedIfTheNoiseDiffers) {
  const std::vector<std::string> told = errors([&](int rank, NoisySums& noisy) {
    if (rank == 1) noisy.noise = statistics_noise(rules(), {2, 1e-6}, 2, 1);
  });
  for (const std::string& one : told) EXPECT_THAT(one, HasSubstr("ranks 0 and 1 ask for different noise"));
}

TEST(SummedStatistics, RefuseAnEpsilonForWhichNoNoiseIsCounted) {
  const auto refusal = [](const Budget& budget) {
    try {
      statistics_noise(rules(), budget, 2, 1);
      return std::string();
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refusal({8, 1e-6}), "");
  EXPECT_THAT(refusal({60, 1e-6}), HasSubstr("take a smaller epsilon"));
  EXPECT_THAT(refusal({1, 1e-13}), HasSubstr("a larger delta"));
  EXPECT_THAT(refusal({1, 2}), HasSubstr("delta 2 is no usable probability"));
}

}  // namespace
}  // namespace tacit::gnn
