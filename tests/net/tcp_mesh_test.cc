#include "net/tcp/tcp_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "net/error.h"
#include "net/tcp/frame.h"
#include "tests/net/loopback_formation.h"
#include "tests/net/streams.h"
#include "tests/sanitized.h"

namespace tacit::net {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

std::vector<std::byte> random_bytes(std::int64_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(&bytes[at], &word, std::min(sizeof word, bytes.size() - at));
  }
  return bytes;
}

// Runs every rank in its own thread. Returns the error message of each rank, empty for success.
std::vector<std::string> run(const LoopbackShape& shape, const TcpMeshOptions& options,
                             const std::function<void(Mesh&)>& program) {
  std::vector<Formation> formations = loopback_formations(shape);
  std::vector<std::string> errors(formations.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < formations.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          const auto mesh = mesh_over(std::move(formations[i]), options);
          try {
            program(*mesh);
            mesh->close();
          } catch (const std::exception& error) {
            errors[i] = error.what();
            mesh->abort(exit_of(error), error.what(), -1);
          }
        } catch (const std::exception& error) {
          errors[i] = error.what();
        }
      });
    }
  }
  return errors;
}

void expect_no_errors(const std::vector<std::string>& errors) {
  for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(errors[i], "") << "rank " << i;
}

void exchange(Mesh& mesh, int peer, Stream stream, std::int64_t size, unsigned round) {
  const auto seed = [&](int from) { return round * 100 + static_cast<unsigned>(from * 10) + stream; };
  const auto mine = random_bytes(size, seed(mesh.rank()));
  std::vector<std::byte> theirs(static_cast<std::size_t>(size));
  Transfer receive = mesh.channel(peer).receive(stream, Bytes(theirs));
  Transfer send = mesh.channel(peer).send(stream, ConstBytes(mine));
  receive.wait();
  send.wait();
  EXPECT_EQ(theirs, random_bytes(size, seed(peer)));
}

class OverEveryWire : public testing::TestWithParam<LoopbackShape> {};

INSTANTIATE_TEST_SUITE_P(TcpMesh, OverEveryWire,
                         testing::Values(LoopbackShape{2, 0, Encryption::kPlain}, LoopbackShape{2, 0, Encryption::kTls},
                                         LoopbackShape{3, 1, Encryption::kTls}),
                         [](const auto& tested) {
                           const LoopbackShape& s = tested.param;
                           return std::to_string(s.parties) + "parties" + std::to_string(s.helpers) + "helpers" +
                                  (s.encryption == Encryption::kTls ? "Tls" : "Plain");
                         });

TEST_P(OverEveryWire, MessagesOfAnySizeArriveInOrder) {
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    for (const std::int64_t size : {0, 1, 64, 16351, 16352, 16353, 262144, 262145, 1000003}) {
      for (int peer = 0; peer < mesh.size(); ++peer) {
        if (peer != mesh.rank()) exchange(mesh, peer, kMainStream, size, static_cast<unsigned>(size));
      }
    }
  }));
}

TEST_P(OverEveryWire, LargeMessagesPassEachOther) {
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    const int peer = mesh.rank() ^ 1;
    if (peer < mesh.size()) exchange(mesh, peer, kMainStream, (20 << 20) / kSlowdown, 7);
  }));
}

TEST_P(OverEveryWire, StreamsAreIndependent) {
  // Rank 0 sends on stream 5 first, but rank 1 asks for stream 6 first; then two threads use the
  // channel at once.
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    if (mesh.rank() > 1) return;
    const int peer = 1 - mesh.rank();
    std::vector<std::byte> five(100'000), six(10);
    if (mesh.rank() == 0) {
      std::vector<std::byte> data = random_bytes(100'000, 5);
      Transfer a = mesh.channel(1).send(5, ConstBytes(data));
      Transfer b = mesh.channel(1).send(6, ConstBytes(data).first(10));
      a.wait();
      b.wait();
    } else {
      mesh.channel(0).receive(6, Bytes(six)).wait();
      mesh.channel(0).receive(5, Bytes(five)).wait();
      EXPECT_EQ(five, random_bytes(100'000, 5));
      EXPECT_TRUE(std::equal(six.begin(), six.end(), five.begin()));
    }
    std::jthread background([&] {
      for (unsigned i = 0; i < 20; ++i) exchange(mesh, peer, kOtherStream, 300'000 / kSlowdown, i);
    });
    for (unsigned i = 0; i < 200; ++i) exchange(mesh, peer, kMainStream, 100, i);
  }));
}

TEST_P(OverEveryWire, PiecesAreGatheredAndScattered) {
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    if (mesh.rank() > 1) return;
    const auto data = random_bytes(900'000, 3);
    const ConstBytes all(data);
    if (mesh.rank() == 0) {
      const ConstBytes pieces[] = {all.first(0), all.first(1), all.subspan(1, 600'000), {}, all.subspan(600'001)};
      mesh.channel(1).send(kMainStream, pieces).wait();
    } else {
      std::vector<std::byte> received(900'000);
      const Bytes out(received);
      const Bytes pieces[] = {out.first(299'999), out.subspan(299'999, 0), out.subspan(299'999)};
      mesh.channel(0).receive(kMainStream, pieces).wait();
      EXPECT_EQ(received, data);
    }
  }));
}

TEST_P(OverEveryWire, WhatComesEarlyWaitsHoweverMuchItIs) {
  // 100 MB arrive before any rank asks: more than the inbox keeps. The sender is held back and
  // nothing is lost.
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    if (mesh.rank() > 1) return;
    constexpr std::int64_t kSize = 10'000'000;
    const auto data = random_bytes(kSize, 1);
    if (mesh.rank() == 0) {
      std::vector<Transfer> sends;
      for (int i = 0; i < 10; ++i) sends.push_back(mesh.channel(1).send(kMainStream, ConstBytes(data)));
      for (Transfer& send : sends) send.wait();
    } else {
      std::this_thread::sleep_for(milliseconds(200));
      std::vector<std::byte> received(kSize);
      for (int i = 0; i < 10; ++i) {
        mesh.channel(0).receive(kMainStream, Bytes(received)).wait();
        ASSERT_EQ(std::memcmp(received.data(), data.data(), data.size()), 0) << i;
      }
    }
  }));
}

TEST_P(OverEveryWire, PostedMessagesNeedNobodyToWait) {
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    if (mesh.rank() == 0) {
      for (int i = 0; i < 100; ++i) {
        const auto data = random_bytes(i * 5000 / kSlowdown, static_cast<unsigned>(i));
        mesh.channel(1).post(kMainStream, data);
      }
    } else if (mesh.rank() == 1) {
      for (int i = 0; i < 100; ++i) {
        std::vector<std::byte> received(static_cast<std::size_t>(i * 5000 / kSlowdown));
        mesh.channel(0).receive(kMainStream, Bytes(received)).wait();
        EXPECT_EQ(received, random_bytes(i * 5000 / kSlowdown, static_cast<unsigned>(i)));
      }
    }
  }));
}

TEST_P(OverEveryWire, BytesMoveWhileTheProgramComputes) {
  // Rank 0 starts a send that the socket cannot take at once, and computes; rank 1 must receive the
  // message meanwhile.
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    std::vector<std::byte> data((30 << 20) / kSlowdown);
    if (mesh.rank() == 0) {
      Transfer send = mesh.channel(1).send(kMainStream, ConstBytes(data));
      const auto until = Clock::now() + std::chrono::seconds(10);
      while (!send.done() && Clock::now() < until) std::this_thread::yield();
      EXPECT_TRUE(send.done());
    } else if (mesh.rank() == 1) {
      mesh.channel(0).receive(kMainStream, Bytes(data)).wait();
    }
  }));
}

TEST_P(OverEveryWire, TrafficCountsWhatMoved) {
  expect_no_errors(run(GetParam(), {}, [](Mesh& mesh) {
    if (mesh.rank() > 1) return;
    const int peer = 1 - mesh.rank();
    const Traffic before = mesh.traffic();
    exchange(mesh, peer, kMainStream, 1000, 1);
    exchange(mesh, peer, kMainStream, 500'000, 2);
    const Traffic moved = mesh.traffic() - before;
    const PeerTraffic& t = moved.peers[static_cast<std::size_t>(peer)];
    EXPECT_EQ(t.payload_sent, 501'000);
    EXPECT_EQ(t.payload_received, 501'000);
    EXPECT_EQ(t.messages_sent, 2);
    EXPECT_EQ(t.messages_received, 2);
    EXPECT_GT(t.wire_sent, 501'000);
    EXPECT_LT(t.wire_sent, 501'000 * 1.01 + 1000);
    EXPECT_GT(t.packets_sent, 0);
    EXPECT_GT(t.packets_received, 0);
    EXPECT_EQ(moved.total().payload_sent, 501'000);
  }));
}

TEST_P(OverEveryWire, ExportedKeysAgreePairwise) {
  if (GetParam().encryption == Encryption::kPlain) GTEST_SKIP() << "plaintext exports none";
  std::mutex mutex;
  std::map<std::pair<int, int>, std::vector<std::byte>> keys;
  expect_no_errors(run(GetParam(), {}, [&](Mesh& mesh) {
    for (int peer = 0; peer < mesh.size(); ++peer) {
      if (peer == mesh.rank()) continue;
      const Secret key = mesh.channel(peer).export_key("seed", 32);
      const std::lock_guard lock(mutex);
      keys[{mesh.rank(), peer}].assign(key.bytes().begin(), key.bytes().end());
    }
  }));
  for (const auto& [pair, key] : keys) EXPECT_EQ(key, (keys[{pair.second, pair.first}]));
}

TcpMeshOptions hasty() {
  TcpMeshOptions options;
  options.heartbeat = milliseconds(50);
  options.silence = milliseconds(1500);
  options.patience = milliseconds(700);
  return options;
}

TEST(TcpMeshFailure, AnotherLengthThanExpectedNamesBoth) {
  const auto errors = run({3, 0, Encryption::kTls}, hasty(), [](Mesh& mesh) {
    mesh.set_step("opening X");
    std::vector<std::byte> data(100);
    if (mesh.rank() == 0) mesh.channel(1).post(kMainStream, ConstBytes(data).first(64));
    if (mesh.rank() == 1) mesh.channel(0).receive(kMainStream, Bytes(data)).wait();
  });
  EXPECT_THAT(errors[1], HasSubstr("rank 0 (party, loopback)"));
  EXPECT_THAT(errors[1], HasSubstr("64 bytes where 100 were expected"));
  EXPECT_THAT(errors[1], HasSubstr("opening X"));
  EXPECT_THAT(errors[0], HasSubstr("64 bytes where 100 were expected"));
  // The error comes from rank 1, or from rank 0 after rank 1 has reported it: both name rank 0.
  EXPECT_THAT(errors[2], HasSubstr("rank 0 (party, loopback)"));
  EXPECT_THAT(errors[2], HasSubstr("64 bytes where 100 were expected"));
}

TEST(TcpMeshFailure, SlowPeerIsAliveButPatienceEnds) {
  const auto errors = run({2, 0, Encryption::kTls}, hasty(), [](Mesh& mesh) {
    std::byte byte{};
    if (mesh.rank() == 0) {
      std::this_thread::sleep_for(milliseconds(1100));
    } else {
      mesh.channel(0).receive(kMainStream, Bytes(&byte, 1)).wait();
    }
  });
  EXPECT_THAT(errors[1], HasSubstr("rank 0 (party, loopback) is alive"));
  EXPECT_THAT(errors[1], HasSubstr("waiting for 1 bytes from rank 0"));
}

TEST(TcpMeshFailure, SlowPeerIsWaitedForLongerThanSilence) {
  TcpMeshOptions options = hasty();
  options.patience = milliseconds(20'000);
  expect_no_errors(run({2, 0, Encryption::kTls}, options, [](Mesh& mesh) {
    std::byte byte{};
    if (mesh.rank() == 0) {
      std::this_thread::sleep_for(milliseconds(2500));
      mesh.channel(1).post(kMainStream, ConstBytes(&byte, 1));
    } else {
      mesh.channel(0).receive(kMainStream, Bytes(&byte, 1)).wait();
    }
  }));
}

TEST(TcpMeshFailure, IdleRankIsHeardWhileOthersSpin) {
  // Ranks 0 and 1 find every message while they spin; no rank ever waits for rank 2, which is only
  // alive.
  TcpMeshOptions options = hasty();
  options.silence = milliseconds(800);
  options.spin = std::chrono::milliseconds(20);
  expect_no_errors(run({3, 0, Encryption::kTls}, options, [](Mesh& mesh) {
    const auto until = Clock::now() + milliseconds(2500);
    if (mesh.rank() == 2) return std::this_thread::sleep_until(until);
    std::byte go_on{1};
    while (go_on != std::byte{0}) {  // rank 0 decides when the run is over
      if (mesh.rank() == 0) {
        go_on = std::byte{Clock::now() < until};
        mesh.channel(1).post(kMainStream, ConstBytes(&go_on, 1));
        std::byte echo{};
        mesh.channel(1).receive(kMainStream, Bytes(&echo, 1)).wait();
      } else {
        mesh.channel(0).receive(kMainStream, Bytes(&go_on, 1)).wait();
        mesh.channel(0).post(kMainStream, ConstBytes(&go_on, 1));
      }
    }
  }));
}

TEST(TcpMeshFailure, RankThatNeverFinishesIsNamedByThoseThatHave) {
  TcpMeshOptions options = hasty();
  options.silence = milliseconds(300);
  options.farewell = milliseconds(600);
  const auto errors = run({2, 0, Encryption::kTls}, options, [](Mesh& mesh) {
    if (mesh.rank() == 1) std::this_thread::sleep_for(milliseconds(1500));
  });
  EXPECT_THAT(errors[0], HasSubstr("rank 1 (party, loopback) is alive but has not finished"));
}

TEST(TcpMeshFailure, DeathIsNoticedByAllAndNamesTheDead) {
  const auto errors = run({3, 1, Encryption::kTls}, {}, [](Mesh& mesh) {
    std::byte byte{};
    if (mesh.rank() == 2) throw NetError("the disk is full");
    mesh.channel(mesh.rank() == 0 ? 1 : 0).receive(kMainStream, Bytes(&byte, 1)).wait();
  });
  for (const int r : {0, 1, 3}) {
    EXPECT_THAT(errors[static_cast<std::size_t>(r)], HasSubstr("rank 2 (party, loopback) gave up: the disk is full"))
        << r;
  }
}

TEST(TcpMeshFailure, WaitingForOneWhoHasFinishedIsAProtocolError) {
  const auto errors = run({2, 0, Encryption::kTls}, {}, [](Mesh& mesh) {
    std::byte byte{};
    if (mesh.rank() == 1) mesh.channel(0).receive(kMainStream, Bytes(&byte, 1)).wait();
  });
  EXPECT_THAT(errors[1], HasSubstr("has finished its program"));
}

TEST(TcpMeshFailure, MessageThatNobodyAskedForIsFoundAtTheEnd) {
  const auto errors = run({2, 0, Encryption::kTls}, hasty(), [](Mesh& mesh) {
    std::byte byte{};
    if (mesh.rank() == 0) mesh.channel(1).post(kMainStream, ConstBytes(&byte, 1));
  });
  EXPECT_THAT(errors[1], HasSubstr("never asked for"));
}

TEST(TcpMeshFailure, AbandonedSendLeavesItsMemoryAloneAndTheOthersInformed) {
  const auto errors = run({2, 0, Encryption::kTls}, hasty(), [](Mesh& mesh) {
    std::vector<std::byte> data((50 << 20) / kSlowdown);
    if (mesh.rank() == 0) {
      {
        const Transfer send = mesh.channel(1).send(kMainStream, ConstBytes(data));
        std::this_thread::sleep_for(milliseconds(50));
      }
      data.clear();
      data.shrink_to_fit();
      throw NetError("out of memory");
    }
    std::this_thread::sleep_for(milliseconds(200));
    mesh.channel(0).receive(kMainStream, Bytes(data)).wait();
  });
  EXPECT_THAT(errors[1], HasSubstr("rank 0 (party, loopback) gave up: out of memory"));
}

TEST(TcpMesh, WorldOfOneNeedsNoPeers) {
  Formation alone;
  alone.links.resize(1);
  const auto mesh = mesh_over(std::move(alone), {});
  EXPECT_EQ(mesh->traffic().total().wire_sent, 0);
  mesh->close();
}

}  // namespace
}  // namespace tacit::net
