#include "tests/net/rendezvous_run.h"

#include <gtest/gtest.h>

#include <thread>

namespace tacit::net {

using namespace std::chrono_literals;

RendezvousRun::RendezvousRun(int parties, int helpers, const std::string& host) : ensemble(parties, helpers) {
  for (int rank = 0; rank < size(); ++rank) {
    RendezvousOptions& o = options_.emplace_back();
    o.rank = rank;
    o.master = port.at(host);
    o.deadline = 20s;  // only tests that set a shorter deadline let it pass
    o.handshake = 5s;
    o.log = [this, rank](const std::string& line) {
      const std::lock_guard lock(mutex_);
      logs_[rank] += line + "\n";
    };
  }
}

Formation RendezvousRun::join(int rank, const Roster& roster) {
  return rendezvous(options(rank), ensemble.identities.at(static_cast<std::size_t>(rank)), roster);
}

std::vector<Outcome> RendezvousRun::join_all() {
  std::vector<int> ranks;
  for (int rank = 0; rank < size(); ++rank) ranks.push_back(rank);
  return join_some(ranks);
}

std::vector<Outcome> RendezvousRun::join_some(const std::vector<int>& ranks) {
  return run_ranks(static_cast<int>(ranks.size()), [&](int i) {
    const int rank = ranks[static_cast<std::size_t>(i)];
    Formation formation = join(rank);
    const std::lock_guard lock(mutex_);
    formations[rank] = std::move(formation);
  });
}

std::string RendezvousRun::log_of(int rank) {
  const std::lock_guard lock(mutex_);
  return logs_[rank];
}

bool RendezvousRun::wait_until_logged(int rank, const std::string& text) {
  for (const auto end = Clock::now() + 10s; Clock::now() < end; std::this_thread::sleep_for(5ms)) {
    if (log_of(rank).find(text) != std::string::npos) return true;
  }
  return false;
}

namespace {

std::byte mark(int from, int to) { return static_cast<std::byte>(from * 37 + to * 11); }

std::byte read_byte(Wire& wire) {
  std::byte byte{};
  for (const auto end = Clock::now() + 10s; Clock::now() < end;) {
    const std::int64_t n = wire.read({&byte, 1});
    if (n == 1) return byte;
    if (n == Wire::kClosed) break;
    std::this_thread::sleep_for(1ms);
  }
  ADD_FAILURE() << "no byte came over a link";
  return byte;
}

}  // namespace

void expect_links_work(std::map<int, Formation>& formations) {
  for (auto& [rank, formation] : formations) {
    ASSERT_EQ(std::ssize(formation.links), formation.world.size());
    for (int peer = 0; peer < formation.world.size(); ++peer) {
      const auto& to_peer = formation.links[static_cast<std::size_t>(peer)];
      ASSERT_EQ(to_peer == nullptr, peer == rank);
      if (to_peer == nullptr) continue;
      const std::byte byte = mark(rank, peer);
      ASSERT_EQ(to_peer->write({&byte, 1}), 1);
      ASSERT_TRUE(to_peer->flush());
    }
  }
  for (auto& [rank, formation] : formations) {
    for (int peer = 0; peer < formation.world.size(); ++peer) {
      if (peer == rank) continue;
      Wire& wire = *formation.links[static_cast<std::size_t>(peer)];
      EXPECT_EQ(read_byte(wire), mark(peer, rank)) << "from " << peer << " to " << rank;
    }
  }
}

}  // namespace tacit::net
