// Random programs: every step moves messages of random sizes on random streams between random
// ranks. Every rank posts its part in its own order, sometimes late. In any order, every byte
// arrives on every mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "net/tcp/tcp_mesh.h"
#include "tests/net/loopback_formation.h"
#include "tests/net/meshes.h"
#include "tests/sanitized.h"

namespace tacit::net {
namespace {

constexpr int kTalkers = 3, kHelpers = 1, kSteps = 12, kMessagesPerStep = 25;

struct PlannedMessage {
  int from, to;
  Stream stream;
  std::int64_t size;
};

std::vector<PlannedMessage> step_of(std::mt19937& random) {
  std::vector<PlannedMessage> messages;
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int i = 0; i < kMessagesPerStep; ++i) {
    const int from = below(kTalkers + kHelpers);
    const int to = (from + 1 + below(kTalkers + kHelpers - 1)) % (kTalkers + kHelpers);
    const std::int64_t sizes[] = {0, below(100), below(40'000), below(1'500'000 / kSlowdown)};
    messages.push_back({from, to, static_cast<Stream>(below(3)), sizes[below(4)]});
  }
  return messages;
}

std::vector<std::byte> content(const PlannedMessage& m, int step) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(m.size));
  std::byte* next = bytes.data();  // megabytes are written, without optimisation
  unsigned value = static_cast<unsigned>(m.from * 3 + m.to * 5 + m.stream * 7 + step);
  for (std::int64_t left = m.size, in_block = 255; left > 0; --left) {
    *next++ = static_cast<std::byte>(value++);
    if (--in_block == 0) in_block = 255, ++value;  // the period is no power of two
  }
  return bytes;
}

// Messages of one stream between two ranks keep their order. A rank may therefore shuffle its
// operations only by (peer, stream, direction): it works through those queues in a random
// interleaving.
void work_through(Mesh& mesh, const std::vector<PlannedMessage>& messages, int step, std::mt19937& order) {
  std::map<std::tuple<bool, int, Stream>, std::vector<const PlannedMessage*>> queues;
  for (const PlannedMessage& m : messages) {
    if (m.from == mesh.rank()) queues[{false, m.to, m.stream}].push_back(&m);
    if (m.to == mesh.rank()) queues[{true, m.from, m.stream}].push_back(&m);
  }
  std::vector<std::tuple<bool, int, Stream>> turns;
  for (const auto& [key, queue] : queues) turns.insert(turns.end(), queue.size(), key);
  std::shuffle(turns.begin(), turns.end(), order);

  std::vector<std::pair<const PlannedMessage*, std::vector<std::byte>>> received, sent;
  received.reserve(turns.size()), sent.reserve(turns.size());
  std::vector<Transfer> receives, sends;
  for (const auto& key : turns) {
    const auto& [receiving, peer, stream] = key;
    const PlannedMessage* m = queues[key].front();
    queues[key].erase(queues[key].begin());
    if (order() % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(order() % 2000));
    auto& memory = (receiving ? received : sent).emplace_back(m, static_cast<std::size_t>(m->size)).second;
    if (receiving) {
      receives.push_back(mesh.channel(peer).receive(stream, Bytes(memory)));
    } else {
      memory = content(*m, step);
      sends.push_back(mesh.channel(peer).send(stream, ConstBytes(memory)));
    }
  }
  std::shuffle(receives.begin(), receives.end(), order);
  for (Transfer& t : receives) t.wait();
  for (Transfer& t : sends) t.wait();
  for (const auto& [m, memory] : received) {
    ASSERT_TRUE(memory == content(*m, step)) << "other bytes arrived: " << m->from << "->" << m->to;
  }
}

class RandomProgram : public testing::TestWithParam<MeshKind> {};
INSTANTIATE_TEST_SUITE_P(Over, RandomProgram, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(RandomProgram, DeliversEveryByteInOrder) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    run_ranks(GetParam().make(kTalkers, kHelpers), [&](Mesh& mesh) {
      std::mt19937 program(seed);                                           // the same at every rank
      std::mt19937 order(seed * 100 + static_cast<unsigned>(mesh.rank()));  // different at every rank
      for (int step = 0; step < kSteps; ++step) work_through(mesh, step_of(program), step, order);
    });
  }
}

TEST_P(RandomProgram, PayloadSentIsPayloadReceived) {
  std::mutex mutex;
  std::map<int, Traffic> traffic;
  run_ranks(GetParam().make(kTalkers, kHelpers), [&](Mesh& mesh) {
    std::mt19937 program(9), order(static_cast<unsigned>(mesh.rank()));
    for (int step = 0; step < 4; ++step) work_through(mesh, step_of(program), step, order);
    const std::lock_guard lock(mutex);
    traffic[mesh.rank()] = mesh.traffic();
  });
  for (int a = 0; a < kTalkers + kHelpers; ++a) {
    for (int b = 0; b < kTalkers + kHelpers; ++b) {
      const PeerTraffic& there = traffic[a].peers[static_cast<std::size_t>(b)];
      const PeerTraffic& back = traffic[b].peers[static_cast<std::size_t>(a)];
      EXPECT_EQ(there.payload_sent, back.payload_received);
      EXPECT_EQ(there.messages_sent, back.messages_received);
    }
  }
}

}  // namespace
}  // namespace tacit::net
