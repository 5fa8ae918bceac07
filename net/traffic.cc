#include "net/traffic.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacit::net {

PeerTraffic& PeerTraffic::operator+=(const PeerTraffic& other) {
  payload_sent += other.payload_sent;
  payload_received += other.payload_received;
  wire_sent += other.wire_sent;
  wire_received += other.wire_received;
  messages_sent += other.messages_sent;
  messages_received += other.messages_received;
  packets_sent += other.packets_sent;
  packets_received += other.packets_received;
  retransmissions += other.retransmissions;
  rtt = std::max(rtt, other.rtt);
  return *this;
}

PeerTraffic PeerTraffic::operator-(const PeerTraffic& earlier) const {
  PeerTraffic d = *this;
  d.payload_sent -= earlier.payload_sent;
  d.payload_received -= earlier.payload_received;
  d.wire_sent -= earlier.wire_sent;
  d.wire_received -= earlier.wire_received;
  d.messages_sent -= earlier.messages_sent;
  d.messages_received -= earlier.messages_received;
  d.packets_sent -= earlier.packets_sent;
  d.packets_received -= earlier.packets_received;
  d.retransmissions -= earlier.retransmissions;
  return d;
}

PeerTraffic Traffic::total() const {
  PeerTraffic sum;
  for (const PeerTraffic& p : peers) sum += p;
  return sum;
}

Traffic Traffic::operator-(const Traffic& earlier) const {
  Traffic d = *this;
  d.rounds -= earlier.rounds;
  const std::size_t common = std::min(peers.size(), earlier.peers.size());
  for (std::size_t r = 0; r < common; ++r) d.peers[r] = peers[r] - earlier.peers[r];
  return d;
}

namespace {

std::string row(const std::string& who, const PeerTraffic& p) {
  return fmt::format("{:>6} {:>14} {:>14} {:>14} {:>14} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9.3f}\n", who, p.payload_sent,
                     p.payload_received, p.wire_sent, p.wire_received, p.messages_sent, p.messages_received,
                     p.packets_sent, p.packets_received, p.retransmissions, static_cast<double>(p.rtt.count()) / 1e3);
}

}  // namespace

std::string format_table(const Traffic& traffic, int own_rank) {
  std::string text = fmt::format("{:>6} {:>14} {:>14} {:>14} {:>14} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9}\n", "peer",
                                 "payload out", "payload in", "wire out", "wire in", "msgs out", "msgs in", "pkts out",
                                 "pkts in", "retrans", "rtt ms");
  for (std::size_t r = 0; r < traffic.peers.size(); ++r) {
    if (static_cast<int>(r) != own_rank) text += row(std::to_string(r), traffic.peers[r]);
  }
  return text + row("total", traffic.total()) + fmt::format("rounds {}\n", traffic.rounds);
}

}  // namespace tacit::net
