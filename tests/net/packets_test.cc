// Compares the packet counts that a mesh reports (from the kernel's TCP_INFO) with tcpdump's view
// of the same connection.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/net/capture.h"
#include "tests/net/party_job.h"

namespace tacit::net {
namespace {

// A rank's report of its traffic, and its time.
struct Told {
  std::chrono::microseconds at{};
  std::int64_t sent = 0;
  std::int64_t received = 0;
};

Told told_by(Process& rank) {
  const Ended ended = rank.wait(kSoon);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  const std::size_t begin = ended.out.find("traffic at ");
  if (begin == std::string::npos) throw std::runtime_error("a rank did not report its traffic: " + ended.out);
  long at = 0;
  Told told;
  EXPECT_EQ(
      std::sscanf(ended.out.c_str() + begin, "traffic at %ld us, packets %ld %ld", &at, &told.sent, &told.received), 3);
  told.at = std::chrono::microseconds(at);
  return told;
}

// Packets captured on the connections between rank 0, at `master_end`, and another rank.
struct Seen {
  std::int64_t to_master = 0;
  std::int64_t from_master = 0;
  std::int64_t opened = 0;
};

Seen seen(const std::vector<Packet>& packets, const std::string& master_end, std::chrono::microseconds until) {
  Seen count;
  for (const Packet& packet : packets) {
    if (packet.time > until) continue;
    count.to_master += packet.to == master_end;
    count.from_master += packet.from == master_end;
    count.opened += packet.opens;
  }
  return count;
}

void expect_reported_packets_are_those_that_tcpdump_sees(std::vector<std::string> flags) {
  Hosts hosts(2);
  hosts.without_offloads(0);  // with offloads several segments cross as one packet, and the kernel counts several
  hosts.without_offloads(1);
  const Job job(hosts, 2);
  Capture capture(hosts.network(0), "eth0");
  // No heartbeats, and each rank reports its traffic during its own silence, when nothing is in
  // flight.
  flags.insert(flags.end(), {"--heartbeat", "60000", "--silence", "120000", "--settle", "400"});
  std::vector<std::string> master_flags = flags;
  master_flags.insert(master_flags.end(), {"--settle", "800"});
  Process master_process = job.start(0, master_flags);
  ASSERT_TRUE(master_process.prints("listens", kSoon));  // an earlier attempt would be refused, and captured
  Process client_process = job.start(1, flags);
  const Told client = told_by(client_process);
  const Told master = told_by(master_process);

  const std::vector<Packet> packets = capture.stop();
  const std::string master_end = hosts.address(0) + " " + std::to_string(job.port());
  const Seen by_client = seen(packets, master_end, client.at);
  EXPECT_GT(client.sent, 100);
  EXPECT_EQ(client.sent, by_client.to_master);
  EXPECT_EQ(client.received, by_client.from_master);
  // At the master a connection begins after the SYN has come and the SYN-ACK has gone; the kernel
  // counts only the SYN.
  const Seen by_master = seen(packets, master_end, master.at);
  EXPECT_EQ(master.received, by_master.to_master);
  EXPECT_EQ(master.sent, by_master.from_master - by_master.opened);
}

TEST(Packets, OfSmallMessagesAreCountedAsTcpdumpCountsThem) {
  if (const std::string missing = Capture::missing(); !missing.empty()) GTEST_SKIP() << missing;
  expect_reported_packets_are_those_that_tcpdump_sees({"--steps", "200", "--bytes", "64"});
}

TEST(Packets, OfLargeMessagesAreCountedAsTcpdumpCountsThem) {
  if (const std::string missing = Capture::missing(); !missing.empty()) GTEST_SKIP() << missing;
  expect_reported_packets_are_those_that_tcpdump_sees({"--steps", "5", "--bytes", "500000"});
}

}  // namespace
}  // namespace tacit::net
