// Sums of every party's own numbers, revealed range by range with noise: each party's numbers are rounded with its noise, the
// numbers of each range are asked for once, and the noise has the variance of its parts.
#include "mpc/protocols/noisy_sum.h"

#include <gmock/gmock.h>

#include <cmath>

#include "mpc/correlations/no_correlations.h"
#include "net/collectives/cut.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

constexpr Format kOwnNumbers{kWordBits, 10}, kOpenedNumbers{24, 3};
constexpr double kUnit = 0x1p-10;

double own_number(int rank, std::int64_t i) {
  return std::round(1e5 * std::sin(static_cast<double>(7 * i + 13 * rank + 1)));
}

double rounded(double units) { return std::floor(std::ldexp(units, 3 - 10) + 0.5) * 0x1p-3; }

class NoisySumOf : public testing::TestWithParam<std::tuple<int, std::int64_t, net::AllReduce>> {};

INSTANTIATE_TEST_SUITE_P(PartiesSizesAndOpenings, NoisySumOf,
                         testing::Combine(testing::Values(1, 2, 3, 5), testing::Values(0, 1, 501, net::kSegmentBytes),
                                          testing::Values(net::AllReduce::kDirect, net::AllReduce::kTwoPhase,
                                                          net::AllReduce::kRing)));

// Noise of one unit is far below half a unit of the opened format, and numbers that lie near the middle are left out.
TEST_P(NoisySumOf, IsTheSumOfEveryPartysRoundedNumbers) {
  const auto [parties, count, openings] = GetParam();
  RunOptions options;
  options.source = no_correlations;
  options.openings = openings;
  std::vector<std::int64_t> ranges(static_cast<std::size_t>(parties));
  run_parties(
      parties,
      [&, parties = parties, count = count](Session& session, int rank) {
        std::int64_t next = 0;
        const auto own = [&](std::int64_t begin, std::span<double> units) {
          for (std::size_t i = 0; i < units.size(); ++i) {
            const auto at = begin + static_cast<std::int64_t>(i);
            units[i] = 128 * std::round(own_number(rank, at) / 128);  // on the opened grid
          }
          next += std::ssize(units);
          ++ranges[static_cast<std::size_t>(rank)];
        };
        const NoisySum sum{{1, count}, kOwnNumbers, kOpenedNumbers, {2, NoiseFrom::kParties, parties - 1}};
        const Public revealed = reveal_noisy_sum(session, sum, own, "sum");
        if (session.computes()) {
          EXPECT_EQ(next, count) << "each number is asked for once";
        }
        session.output([&](const PublicReader& read) {
          std::int64_t wrong = 0;
          for (std::int64_t i = 0; i < count; ++i) {
            double expected = 0;
            for (int party = 0; party < parties; ++party)
              expected += rounded(128 * std::round(own_number(party, i) / 128));
            wrong += read(revealed)(0, i) != expected;
          }
          EXPECT_EQ(wrong, 0);
        });
      },
      options);
  if (parties > 1 && count > 100'000 && openings != net::AllReduce::kRing) {
    EXPECT_THAT(ranges, testing::Each(testing::Gt(1)));
  }
}

// With t of n parties that pool: each adds a variance of s²/(n-t). The rounding adds 1/12 of an opened unit for each party.
TEST(NoisySum, HasTheNoiseOfAllParties) {
  constexpr std::int64_t kCount = 40'000;
  constexpr double kSigma = 3000;
  const auto variance_of = [](const Matrix& sum) { return sum.array().square().mean() / (kUnit * kUnit); };
  for (const auto& [parties, colluding] : {std::pair{2, 1}, std::pair{3, 1}, std::pair{5, 4}}) {
    const int n = parties;
    const NoisySum sum{
        {1, kCount}, kOwnNumbers, kOpenedNumbers, {static_cast<std::int64_t>(kSigma), NoiseFrom::kParties, colluding}};
    const auto zeros = [](std::int64_t, std::span<double> units) { std::ranges::fill(units, 0.0); };
    const double each = kSigma * kSigma / (n - colluding), expected = n * (each + 128.0 * 128 / 12);
    RunOptions options;
    options.source = no_correlations;
    options.planned = false;
    run_parties(
        parties,
        [&](Session& session, int) {
          const Public revealed = reveal_noisy_sum(session, sum, zeros, "noise");
          session.output([&](const PublicReader& read) {
            EXPECT_NEAR(variance_of(read(revealed)) / expected, 1, 0.05) << n;  // 7 deviations: sqrt(2 / count)
            EXPECT_NEAR(read(revealed).mean() / (kUnit * std::sqrt(expected / kCount)), 0, 7);
          });
        },
        options);
  }
}

}  // namespace
}  // namespace tacit::mpc
