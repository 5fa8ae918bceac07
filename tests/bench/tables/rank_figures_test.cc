#include "bench/tables/rank_figures.h"

#include <gtest/gtest.h>

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

TEST(RankFigures, OfAUsualEpochDependNeitherOnHowManyThereAreNorOnWhatIsDealtOnce) {
  for (const int epochs : {4, 20, 200}) {  // as many with 90 kB as with 160 kB between the first and the last
    Row row;
    add_figures(rank_of(epochs), row);
    EXPECT_NEAR(figure(row, figure_name::kUsualData), 2e-6 * (kToParties + 125'000), 1e-9) << epochs;
    EXPECT_NEAR(figure(row, figure_name::kOnceData), 2e-6 * (kOnceFromDealer + kToParties + 160'000), 1e-9) << epochs;
    EXPECT_EQ(figure(row, figure_name::kUsualTime), 0.5);
  }
}

TEST(RankFigures, OfFewerThanThreeEpochsHaveNoUsualOne) {
  Row row;
  add_figures(rank_of(2), row);
  EXPECT_EQ(row.find(figure_name::kUsualData), nullptr);
  EXPECT_EQ(figure(row, figure_name::kEpochTime), 9);
}

}  // namespace
}  // namespace tacit::launcher
