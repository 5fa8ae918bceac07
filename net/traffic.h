// Traffic counts the bytes and messages that a mesh has sent and received, per peer and in total.
// Snapshots subtract: the traffic of an epoch is `after - before`.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tacit::net {

struct PeerTraffic {
  std::int64_t payload_sent = 0;  // bytes of the caller's messages; equals a protocol's stated cost
  std::int64_t payload_received = 0;
  std::int64_t wire_sent = 0;  // bytes in TCP streams: payload, frame headers, heartbeats, TLS records, handshakes
  std::int64_t wire_received = 0;
  std::int64_t messages_sent = 0;
  std::int64_t messages_received = 0;
  std::int64_t packets_sent = 0;  // TCP segments as the kernel counts them (TCP_INFO); 0 without a socket
  std::int64_t packets_received = 0;
  std::int64_t retransmissions = 0;
  std::chrono::microseconds rtt{0};  // the kernel's current smoothed estimate; a difference keeps the later value

  PeerTraffic& operator+=(const PeerTraffic& other);
  PeerTraffic operator-(const PeerTraffic& earlier) const;
};

struct Traffic {
  std::vector<PeerTraffic> peers;  // indexed by rank; this rank's own entry stays zero
  std::int64_t rounds = 0;         // steps in which this rank had to wait for a peer's message

  PeerTraffic total() const;
  Traffic operator-(const Traffic& earlier) const;
};

// Formats a table for people: one row per peer and a total.
std::string format_table(const Traffic& traffic, int own_rank);

}  // namespace tacit::net
