// Ranks that fit together find each other.
#include "net/rendezvous/rendezvous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "tests/net/rendezvous_run.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

void expect_all_joined(const std::vector<Outcome>& outcomes) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(outcomes[i].exit, Exit::kOk) << i << ": " << outcomes[i];
}

std::int64_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

TEST(Rendezvous, ConnectsEveryRankWithEveryOther) {
  RendezvousRun run(3, 1);
  expect_all_joined(run.join_all());
  expect_links_work(run.formations);
  for (const auto& [rank, formation] : run.formations) {
    EXPECT_EQ(formation.world.rank, rank);
    EXPECT_EQ(formation.world.parties, 3);
    EXPECT_EQ(formation.world.helpers, 1);
    EXPECT_EQ(formation.session, run.formations[0].session);
    EXPECT_EQ(formation.addresses, run.formations[0].addresses);
  }
  EXPECT_EQ(run.formations[0].addresses[0], run.options(0).master.text());
}

TEST(Rendezvous, SaysWhoIsMissingAndInTheEndNobody) {
  RendezvousRun run(3);
  std::vector<std::vector<std::vector<int>>> told(3);
  for (int rank = 0; rank < 3; ++rank) {
    run.options(rank).missing = [&told, rank](const std::vector<int>& ranks) {
      told[static_cast<std::size_t>(rank)].push_back(ranks);
    };
  }
  std::vector<Outcome> early;
  std::jthread others([&] { early = run.join_some({0, 1}); });
  EXPECT_TRUE(run.wait_until_logged(1, "waiting for rank 2"));
  expect_all_joined(run.join_some({2}));
  others.join();
  expect_all_joined(early);
  for (const auto& its : told) {
    ASSERT_FALSE(its.empty());
    EXPECT_TRUE(its.back().empty());
  }
  EXPECT_THAT(told[1], testing::Contains(std::vector<int>{2}));
}

TEST(Rendezvous, WorksInPlaintextForTests) {
  RendezvousRun run(2, 1);
  for (int rank = 0; rank < 3; ++rank) run.options(rank).plaintext = true;
  expect_all_joined(run.join_all());
  EXPECT_THROW(run.formations[0].links[1]->export_key("seed", 32), ConfigError);
  expect_links_work(run.formations);
}

TEST(Rendezvous, WorksOverIpv6) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 on its loopback interface";
  RendezvousRun run(3, 0, "::1");
  expect_all_joined(run.join_all());
  expect_links_work(run.formations);
  EXPECT_THAT(run.formations[0].addresses[1], HasSubstr("[::1]:"));
}

TEST(Rendezvous, TriesEveryAddressOfAName) {
  RendezvousRun run(2, 0, "localhost");
  run.options(0).master.host = "127.0.0.1";  // rank 1 may find ::1 first, at which no process listens
  expect_all_joined(run.join_all());
  expect_links_work(run.formations);
}

TEST(Rendezvous, MasterMayComeLast) {
  RendezvousRun run(3);
  std::vector<Outcome> early;
  std::jthread others([&] { early = run.join_some({1, 2}); });
  EXPECT_TRUE(run.wait_until_logged(1, "waiting for rank 0 (party) at " + run.options(0).master.text()));
  expect_all_joined(run.join_some({0}));
  others.join();
  expect_all_joined(early);
  expect_links_work(run.formations);
}

TEST(Rendezvous, EverybodyIsToldWhoIsMissing) {
  RendezvousRun run(2, 1);
  std::vector<Outcome> early;
  std::jthread others([&] { early = run.join_some({0, 1}); });
  EXPECT_TRUE(run.wait_until_logged(0, "waiting for ranks 1 (party) and 2 (dealer)"));
  EXPECT_TRUE(run.wait_until_logged(1, "waiting for rank 2 (dealer)"));
  expect_all_joined(run.join_some({2}));
  others.join();
  expect_all_joined(early);
}

TEST(Rendezvous, AddressOfTheRosterIsWhereARankListensAndIsReached) {
  RendezvousRun run(3);
  const ReservedPort pinned;
  auto entries = entries_for(run.ensemble.identities, 3);
  entries[1].address = Endpoint{"127.0.0.1", pinned.number()};
  run.ensemble.roster = Roster(entries);
  run.options(1).announce = "nobody.invalid";  // the roster takes precedence
  expect_all_joined(run.join_all());
  EXPECT_EQ(run.formations[2].addresses[1], entries[1].address->text());
  expect_links_work(run.formations);
}

TEST(Rendezvous, AnnouncedHostAndListeningPortAreWhereOthersCall) {
  RendezvousRun run(3);
  const ReservedPort port;
  run.options(1).listen = port.at("127.0.0.1");
  run.options(1).announce = "localhost";
  expect_all_joined(run.join_all());
  EXPECT_EQ(run.formations[2].addresses[1], port.at("localhost").text());
  expect_links_work(run.formations);
}

TEST(Rendezvous, LeavesNothingOpenButTheLinks) {
  const std::int64_t before = open_descriptors();
  RendezvousRun run(3);
  const std::int64_t with_ports = open_descriptors();
  expect_all_joined(run.join_all());
  EXPECT_EQ(open_descriptors(), with_ports + 3 * 2);
  run.formations.clear();
  EXPECT_EQ(open_descriptors(), with_ports);
  EXPECT_LT(before, with_ports);
}

TEST(Rendezvous, WorldOfOneNeedsNobody) {
  const Ensemble alone(1);
  RendezvousOptions options;
  const std::int64_t before = open_descriptors();
  const Formation formation = rendezvous(options, alone.identities[0], alone.roster);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(formation.world.size(), 1);
  ASSERT_EQ(formation.links.size(), 1u);
  EXPECT_EQ(formation.links[0], nullptr);
}

TEST(Rendezvous, SameMeetingPointServesTheNextRunAtOnce) {
  RendezvousRun run(2);
  expect_all_joined(run.join_all());
  const auto first = run.formations[0].session;
  run.formations.clear();
  expect_all_joined(run.join_all());
  EXPECT_NE(run.formations[0].session, first);
}

}  // namespace
}  // namespace tacit::net
