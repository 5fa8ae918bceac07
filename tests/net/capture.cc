#include "tests/net/capture.h"

#include <arpa/inet.h>
#include <signal.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>

#include "tests/net/namespaces.h"

namespace tacit::net {
namespace {

constexpr std::size_t kFileHeaderBytes = 24;
constexpr std::size_t kRecordHeaderBytes = 16;
constexpr std::size_t kEthernetBytes = 14;
constexpr std::size_t kAddressOffset4 = 12;
constexpr std::size_t kAddressOffset6 = 8;
constexpr std::size_t kHeaderBytes6 = 40;
constexpr std::size_t kTcpFlagsOffset = 13;
constexpr std::uint8_t kSyn = 0x02;
constexpr std::uint8_t kAck = 0x10;

using View = std::span<const std::uint8_t>;

std::uint32_t native32(View bytes, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, bytes.subspan(at, sizeof value).data(), sizeof value);
  return value;
}

int big16(View bytes, std::size_t at) { return bytes[at] << 8 | bytes[at + 1]; }

std::string address_text(int family, View bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(family, bytes.data(), text.data(), text.size());
  return text.data();
}

// Parses an Ethernet frame that holds TCP over IPv4 or IPv6 without extension headers; other frames
// are not counted.
std::optional<Packet> parse(View frame) {
  if (frame.size() < kEthernetBytes + kHeaderBytes6) return std::nullopt;
  const int ether_type = big16(frame, kEthernetBytes - 2);
  const View ip = frame.subspan(kEthernetBytes);
  const bool is6 = ether_type == 0x86dd;
  if (!is6 && ether_type != 0x0800) return std::nullopt;
  const int protocol = is6 ? ip[6] : ip[9];
  const std::size_t header = is6 ? kHeaderBytes6 : static_cast<std::size_t>(ip[0] & 0x0f) * 4;
  if (protocol != IPPROTO_TCP || ip.size() < header + kTcpFlagsOffset + 1) return std::nullopt;
  const std::size_t length = is6 ? sizeof(in6_addr) : sizeof(in_addr);
  const std::size_t addresses = is6 ? kAddressOffset6 : kAddressOffset4;
  const int family = is6 ? AF_INET6 : AF_INET;
  Packet packet;
  packet.from = address_text(family, ip.subspan(addresses, length)) + " " + std::to_string(big16(ip, header));
  packet.to =
      address_text(family, ip.subspan(addresses + length, length)) + " " + std::to_string(big16(ip, header + 2));
  packet.opens = (ip[header + kTcpFlagsOffset] & (kSyn | kAck)) == kSyn;
  return packet;
}

std::vector<Packet> parse_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  const View bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  std::vector<Packet> packets;
  std::size_t at = kFileHeaderBytes;
  while (at + kRecordHeaderBytes <= bytes.size()) {
    const std::chrono::seconds seconds(native32(bytes, at));
    const std::chrono::microseconds microseconds(native32(bytes, at + 4));
    const std::size_t length = native32(bytes, at + 8);
    at += kRecordHeaderBytes;
    if (at + length > bytes.size()) break;
    if (std::optional<Packet> packet = parse(bytes.subspan(at, length))) {
      packet->time = seconds + microseconds;
      packets.push_back(std::move(*packet));
    }
    at += length;
  }
  return packets;
}

Command tcpdump(const std::string& file, int network, const std::string& interface) {
  return {{"tcpdump", "-i", interface, "-w", file, "-Z", "root", "-s", "128", "-B", "16384", "--immediate-mode", "tcp"},
          {},
          network};
}

}  // namespace

std::string Capture::missing() {
  if (const std::string hosts = Hosts::missing(); !hosts.empty()) return hosts;
  const Ended ended = Process({{"tcpdump", "--version"}, {}, -1}).wait(std::chrono::seconds(20));
  return ended.exit_code == 0 ? "" : "tcpdump is not installed";
}

Capture::Capture(int network, const std::string& interface)
    : tcpdump_(tcpdump(folder_.path() / "packets", network, interface)) {
  if (!tcpdump_.prints("listening on", std::chrono::seconds(20))) {
    throw std::runtime_error("test harness: tcpdump does not start: " + tcpdump_.err());
  }
}

std::vector<Packet> Capture::stop() {
  tcpdump_.signal(SIGINT);
  const Ended ended = tcpdump_.wait(std::chrono::seconds(20));
  if (ended.exit_code != 0 || ended.err.find("\n0 packets dropped by kernel") == std::string::npos) {
    throw std::runtime_error("test harness: tcpdump lost packets: " + ended.err);
  }
  return parse_file(folder_.path() / "packets");
}

}  // namespace tacit::net
