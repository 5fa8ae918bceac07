#include "launcher/doctor/peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>

#include "net/printable.h"

namespace tacit::launcher {

namespace {

using Kind = Finding::Kind;

constexpr int kPings = 10;
constexpr std::size_t kBulk = 1 << 20;
constexpr int kBulks = 2;  // in each direction; the first one warms up the link
constexpr std::size_t kAbout = 128;

double now() { return std::chrono::duration<double>(net::Clock::now().time_since_epoch()).count(); }
double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// One end of a pair of ranks. The lower rank leads and sends; the higher rank answers.
class Pair {
 public:
  Pair(net::Mesh& mesh, int peer)
      : channel_(mesh.channel(peer)),
        leads_(mesh.rank() < peer),
        bulk_(kBulk),
        report_{peer, mesh.describe(peer), {}} {}

  PeerReport examined(const std::string& about) {
    exchange_about(about);
    measure_round_trips();
    compare_clocks();
    leads_ ? measure_sending() : measure_receiving();
    leads_ ? measure_receiving() : measure_sending();
    return std::move(report_);
  }

 private:
  void send(net::ConstBytes message) { channel_.send(net::kMainStream, message).wait(); }
  void receive(net::Bytes message) { channel_.receive(net::kMainStream, message).wait(); }
  void send(double number) { send(std::as_bytes(std::span(&number, 1))); }
  double receive() {
    double number = 0;
    receive(std::as_writable_bytes(std::span(&number, 1)));
    return std::isfinite(number) ? number : 0;
  }

  void exchange_about(const std::string& about) {
    std::array<char, kAbout> own{}, theirs{};
    std::copy_n(about.begin(), std::min(about.size(), kAbout), own.begin());
    net::Transfer sent = channel_.send(net::kMainStream, std::as_bytes(std::span(own)));
    receive(std::as_writable_bytes(std::span(theirs)));
    sent.wait();
    report_.about = net::printable(std::string(theirs.data(), ::strnlen(theirs.data(), kAbout)), kAbout);
  }

  // The leader sends its result to the other rank.
  void measure_round_trips() {
    for (int ping = 0; ping < kPings; ++ping) {
      const double begin = now();
      if (leads_) send(begin);
      const double echo = receive();
      if (!leads_) send(echo);
      const double took = now() - begin;
      report_.round_trip = ping == 0 ? took : std::min(report_.round_trip, took);
    }
    leads_ ? send(report_.round_trip) : void(report_.round_trip = receive());
  }

  void compare_clocks() {
    if (!leads_) {
      receive();
      send(wall_clock());
      report_.clock_ahead = -receive();
      return;
    }
    const double begin = wall_clock();
    send(begin);
    report_.clock_ahead = receive() - (begin + wall_clock()) / 2;
    send(report_.clock_ahead);
  }

  void measure_sending() {
    for (int i = 0; i < kBulks; ++i) {
      const double begin = now();
      send(bulk_);
      receive();  // the confirmation
      report_.sends = rate(now() - begin);
      send(report_.sends);
    }
  }

  void measure_receiving() {
    for (int i = 0; i < kBulks; ++i) {
      receive(bulk_);
      send(0.0);
      report_.receives = receive();
    }
  }

  // Subtracts half a round trip, the time of the answer.
  double rate(double seconds) const {
    return static_cast<double>(kBulk) / std::max(seconds - report_.round_trip / 2, seconds / 4);
  }

  net::Channel& channel_;
  const bool leads_;
  std::vector<std::byte> bulk_;
  PeerReport report_;
};

std::string version_of(const std::string& about) { return about.substr(0, about.find(',')); }

}  // namespace

std::vector<PeerReport> examine_peers(net::Mesh& mesh, const std::string& about) {
  std::vector<PeerReport> peers;
  for (int peer = 0; peer < mesh.size(); ++peer) {  // this order avoids deadlocks between ranks
    if (peer != mesh.rank()) peers.push_back(Pair(mesh, peer).examined(about));
  }
  return peers;
}

std::vector<Finding> findings_of(const std::vector<PeerReport>& peers, const std::string& about) {
  constexpr double kLateClock = 2;
  std::vector<Finding> findings;
  for (const PeerReport& peer : peers) {
    Finding finding{
        Kind::kOk, fmt::format("rank {}", peer.rank),
        fmt::format("{}: {:.2f} ms, {:.0f} Mbit/s there, {:.0f} Mbit/s back, clock {:+.3f} s, {}", peer.where,
                    peer.round_trip * 1e3, peer.sends * 8e-6, peer.receives * 8e-6, peer.clock_ahead, peer.about)};
    if (std::abs(peer.clock_ahead) > kLateClock) {
      finding.kind = Kind::kNote;
      finding.text +=
          fmt::format("; the rank's clock is {:.0f} s {} this one's: times in logs will differ; let NTP set both",
                      std::abs(peer.clock_ahead), peer.clock_ahead > 0 ? "ahead of" : "behind");
    }
    if (version_of(peer.about) != version_of(about)) {
      finding.kind = Kind::kNote;
      finding.text += fmt::format("; this is {}: install the same everywhere", version_of(about));
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace tacit::launcher
