// Parties on separate hosts: a whole mesh over cables of limited bandwidth, with one announced port
// per party.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <set>

#include "net/channel.h"
#include "tests/net/capture.h"
#include "tests/net/party_job.h"

namespace tacit::net {
namespace {

constexpr int kParties = 3;
constexpr int kHelpers = 1;
constexpr int kHosts = kParties + kHelpers;
constexpr int kAnnouncedPort = 7000;
constexpr std::int64_t kBitsPerSecond = 50'000'000;
constexpr std::int64_t kMessageBytes = 500'000;
constexpr std::int64_t kSteps = 2;

// The endpoints of opened connections, as "address port".
std::set<std::string> opened(std::deque<Capture>& captures) {
  std::set<std::string> ends;
  for (Capture& capture : captures) {
    for (const Packet& packet : capture.stop()) {
      if (packet.opens) ends.insert(packet.to);
    }
  }
  return ends;
}

void expect_a_mesh_over(std::string (Hosts::*address)(int) const, const std::string& listen) {
  Hosts hosts(kHosts);
  for (int host = 0; host < kHosts; ++host) hosts.limit(host, kBitsPerSecond);
  std::deque<Capture> captures;
  for (int host = 0; host < kHosts; ++host) captures.emplace_back(hosts.network(host), "eth0");

  const Job job(hosts, kParties, kHelpers);
  std::vector<Process> ranks;
  for (int rank = 0; rank < kHosts; ++rank) {
    Command command = job.command(rank, {"--listen", fmt::format("{}:{}", listen, kAnnouncedPort), "--steps",
                                         std::to_string(kSteps), "--bytes", std::to_string(kMessageBytes)});
    command.environment["MASTER_ADDR"] = (hosts.*address)(0);
    ranks.emplace_back(command);
  }
  expect_standing(ranks);
  const Clock::time_point standing = Clock::now();
  for (Process& rank : ranks) expect_success(rank);

  const double bits = 8.0 * kMessageBytes * kSteps * (kHosts - 1);
  const double seconds = std::chrono::duration<double>(Clock::now() - standing).count();
  EXPECT_GT(seconds, 0.8 * bits / kBitsPerSecond) << "faster than the cables are";

  std::set<std::string> announced = {fmt::format("{} {}", (hosts.*address)(0), job.port())};
  for (int host = 1; host < kHosts; ++host)
    announced.insert(fmt::format("{} {}", (hosts.*address)(host), kAnnouncedPort));
  EXPECT_THAT(announced, testing::IsSupersetOf(opened(captures)));
}

TEST(SeparateHosts, FormAMeshOverOneAnnouncedPortEach) {
  if (const std::string missing = Capture::missing(); !missing.empty()) GTEST_SKIP() << missing;
  expect_a_mesh_over(&Hosts::address, "0.0.0.0");
}

// All traffic of a host, including heartbeats, waits in one queue with room for two minutes of traffic.
TEST(SeparateHosts, BehindALinkThatIsMerelyFullAreNotTakenForDead) {
  if (const std::string missing = Hosts::missing(); !missing.empty()) GTEST_SKIP() << missing;
  const Hosts hosts(3);
  for (int host = 0; host < 3; ++host) {
    run_to_success(
        {{"tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", "128kbit", "burst", "4kb", "limit", "2mb"},
         {},
         hosts.network(host)});
  }
  const Job job(hosts, 3);
  std::vector<Process> ranks;
  for (int rank = 0; rank < 3; ++rank) {
    Command command = job.command(rank, {"--listen", fmt::format("0.0.0.0:{}", kAnnouncedPort), "--steps", "1",
                                         "--bytes", "100000", "--silence", "4000", "--patience", "60000"});
    command.environment["MASTER_ADDR"] = hosts.address(0);
    ranks.emplace_back(command);
  }
  expect_standing(ranks);
  for (Process& rank : ranks) {
    const Ended ended = rank.wait(std::chrono::seconds(60));
    EXPECT_EQ(ended.exit_code, 0) << ended;
  }
}

TEST(SeparateHosts, FormAMeshOverIpv6Too) {
  if (const std::string missing = Capture::missing(); !missing.empty()) GTEST_SKIP() << missing;
  expect_a_mesh_over(&Hosts::address6, "[::]");
}

}  // namespace
}  // namespace tacit::net
