#include "bench/tables/rank_figures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>

namespace tacit::launcher {
namespace {

constexpr std::int64_t kToParties = 200'000, kOnceFromDealer = 5'000'000;

// `payload` bytes of payload. Each byte takes two on the wire.
net::PeerTraffic received(std::int64_t payload) {
  net::PeerTraffic traffic;
  traffic.payload_received = payload;
  traffic.wire_received = 2 * payload;
  return traffic;
}

// A rank that is dealt much before the epochs, then 90 kB and 160 kB in turns, and moves as much to parties in each.
RankAccount rank_of(int epochs) {
  RankAccount account;
  account.measured.emplace();
  account.measured->total = received(kOnceFromDealer);
  for (int number = 1; number <= epochs; ++number) {
    ToldEpoch epoch;
    epoch.usage.seconds = number == 1 || number == epochs ? 9 : 0.5;
    epoch.measured.emplace();
    epoch.measured->parties = received(kToParties);
    epoch.measured->total = received(kToParties);
    epoch.measured->total += received(number % 2 == 0 ? 90'000 : 160'000);
    account.measured->parties += epoch.measured->parties;
    account.measured->total += epoch.measured->total;
    account.epochs[number] = epoch;
  }
  return account;
}

double figure(const Row& row, const char* name) {
  EXPECT_NE(row.find(name), nullptr) << name;
  return row.find(name) == nullptr ? 0 : row.find(name)->median();
}

TEST(RankFigures, OfAUsualEpochDependNeitherOnTheNumberOfEpochsNorOnDataDealtOnce) {
  for (const int epochs : {4, 20, 200}) {  // between the first and the last, equally many have 90 kB and 160 kB
    Row row;
    add_figures(rank_of(epochs), row);
    EXPECT_NEAR(figure(row, figure_name::kUsualData), 2e-6 * (kToParties + 125'000), 1e-9) << epochs;
    EXPECT_NEAR(figure(row, figure_name::kOnceData), 2e-6 * (kOnceFromDealer + kToParties + 160'000), 1e-9) << epochs;
    EXPECT_EQ(figure(row, figure_name::kUsualTime), 0.5);
  }
}

TEST(RankFigures, WithACoreEachAreOfTheBusiestPartyAndNotOfTheDealer) {
  RunAccount run;
  const auto add = [&](int rank, double cpu_seconds, std::int64_t rounds, std::int64_t sent) {
    RankAccount& account = run.ranks.emplace_back();
    account.rank = rank;
    account.parties = 2;
    for (int number = 1; number <= 4; ++number) {
      ToldEpoch& epoch = account.epochs[number];
      epoch.usage.cpu_seconds = number == 1 ? 4 * cpu_seconds : 0;  // the mean counts, as in the time per epoch
      epoch.measured.emplace();
      epoch.measured->rounds = rounds;
      epoch.measured->parties.wire_sent = sent;
    }
  };
  add(0, 1.0, 10, 1000);
  add(1, 1.5, 10, 500);
  add(2, 9.0, 1, 9'000'000);  // the dealer
  EXPECT_DOUBLE_EQ(core_each_time(run, {0.25, 1e3}), 1.5 + 10 * 0.25 + 0.5);
  EXPECT_DOUBLE_EQ(core_each_time(run, {0, 250}), 1.0 + 4) << "rank 0 sends more";
  EXPECT_DOUBLE_EQ(core_each_time(run, {0, std::numeric_limits<double>::infinity()}), 1.5);
  EXPECT_EQ(core_each_time(RunAccount(), {0.25, 1e3}), 0);
}

TEST(RankFigures, OfMemoryAreAShareOfThisMachines) {
  RankAccount account;
  account.usage.peak_memory = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE) / 4;
  Row row;
  add_memory_share(account, row);
  EXPECT_NEAR(figure(row, figure_name::kMemoryShare), 25, 0.01);
}

TEST(RankFigures, OfFewerThanThreeEpochsHaveNoUsualOne) {
  Row row;
  add_figures(rank_of(2), row);
  EXPECT_EQ(row.find(figure_name::kUsualData), nullptr);
  EXPECT_EQ(figure(row, figure_name::kEpochTime), 9);
}

}  // namespace
}  // namespace tacit::launcher
