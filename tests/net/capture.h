// Capture — what tcpdump sees of TCP on a host's network card: an independent count of packets.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::net {

struct Packet {
  std::chrono::microseconds time{};  // of the wall clock
  std::string from;                  // address and port: "10.9.8.1 4711"
  std::string to;
  bool opens = false;  // SYN without ACK: the first packet of a connection
};

class Capture {
 public:
  // What is missing to capture at hosts, for GTEST_SKIP; empty when nothing is.
  static std::string missing();

  // Captures from now on. Throws if tcpdump does not start.
  Capture(int network, const std::string& interface);

  // Ends it. Throws if tcpdump lost a packet.
  std::vector<Packet> stop();

 private:
  TemporaryFolder folder_;
  Process tcpdump_;
};

}  // namespace tacit::net
