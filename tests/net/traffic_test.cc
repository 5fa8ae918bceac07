#include "net/traffic.h"

#include <gtest/gtest.h>

namespace tacit::net {
namespace {

Traffic sample(std::int64_t scale) {
  Traffic t;
  t.rounds = 3 * scale;
  t.peers.resize(3);
  for (std::int64_t r : {0, 2}) {
    PeerTraffic& p = t.peers[static_cast<std::size_t>(r)];
    p.payload_sent = (100 + r) * scale;
    p.wire_received = (200 + r) * scale;
    p.packets_sent = 7 * scale;
    p.rtt = std::chrono::microseconds(50 * scale);
  }
  return t;
}

TEST(Traffic, SnapshotsSubtractPerPeerAndInTotal) {
  const Traffic epoch = sample(5) - sample(2);
  EXPECT_EQ(epoch.rounds, 9);
  EXPECT_EQ(epoch.peers[2].payload_sent, 102 * 3);
  EXPECT_EQ(epoch.total().payload_sent, (100 + 102) * 3);
  EXPECT_EQ(epoch.total().wire_received, (200 + 202) * 3);
  EXPECT_EQ(epoch.total().packets_sent, 2 * 7 * 3);
}

TEST(Traffic, RoundTripTimeIsTheLaterEstimateNotADifference) {
  EXPECT_EQ((sample(5) - sample(2)).peers[2].rtt, std::chrono::microseconds(250));
}

TEST(Traffic, TableHasARowForEveryPeerButNotForOneself) {
  const std::string table = format_table(sample(1), 1);
  EXPECT_NE(table.find("\n     0 "), std::string::npos) << table;
  EXPECT_NE(table.find("\n     2 "), std::string::npos) << table;
  EXPECT_EQ(table.find("\n     1 "), std::string::npos) << table;
  EXPECT_NE(table.find(" total "), std::string::npos) << table;
}

}  // namespace
}  // namespace tacit::net
