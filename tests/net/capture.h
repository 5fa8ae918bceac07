// Capture — records the TCP packets on a host's network card with tcpdump: an independent count of
// packets.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::net {

struct Packet {
  std::chrono::microseconds time{};  // wall-clock time
  std::string from;                  // address and port: "10.9.8.1 4711"
  std::string to;
  bool opens = false;  // SYN without ACK: the first packet of a connection
};

class Capture {
 public:
  // The reason why hosts cannot be captured here, for GTEST_SKIP; empty if they can.
  static std::string missing();

  // Starts to capture. Throws if tcpdump does not start.
  Capture(int network, const std::string& interface);

  // Ends the capture. Throws if tcpdump lost a packet.
  std::vector<Packet> stop();

 private:
  TemporaryFolder folder_;
  Process tcpdump_;
};

}  // namespace tacit::net
