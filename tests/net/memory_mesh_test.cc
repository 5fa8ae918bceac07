#include "net/memory/memory_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "net/error.h"
#include "tests/net/meshes.h"
#include "tests/net/streams.h"

namespace tacit::net {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using Message = std::vector<std::byte>;

constexpr std::int64_t kLarge = 1'000'003;

Message random_message(std::int64_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  Message bytes(static_cast<std::size_t>(size));
  for (auto& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

Message receive_now(Mesh& mesh, int peer, std::int64_t size, Stream stream = kMainStream) {
  Message message(static_cast<std::size_t>(size));
  mesh.channel(peer).receive(stream, Bytes(message)).wait();
  return message;
}

int culprit_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const NetError& e) {
    return e.culprit();
  } catch (const ProtocolError& e) {
    return e.culprit();
  }
}

template <typename Error>
bool is(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const Error&) {
    return true;
  } catch (...) {
  }
  return false;
}

TEST(MemoryMesh, MessagesArriveInOrderWhoeverComesFirst) {
  const std::int64_t sizes[] = {0, 1, kMemoryMeshKeeps, kMemoryMeshKeeps + 1, kLarge, 7};
  for (const bool receiver_first : {false, true}) {
    run_ranks(memory_mesh(2), [&](Mesh& mesh) {
      const bool sends = mesh.rank() == 0;
      if (sends == receiver_first) std::this_thread::sleep_for(milliseconds(20));
      std::vector<Message> messages;
      std::vector<Transfer> transfers;
      for (const std::int64_t size : sizes) {
        messages.push_back(sends ? random_message(size, 1) : Message(static_cast<std::size_t>(size)));
        Channel& channel = mesh.channel(1 - mesh.rank());
        transfers.push_back(sends ? channel.send(kMainStream, ConstBytes(messages.back()))
                                  : channel.receive(kMainStream, Bytes(messages.back())));
      }
      for (std::size_t i = 0; i < messages.size(); ++i) {
        transfers[i].wait();
        EXPECT_TRUE(transfers[i].done());
        EXPECT_EQ(messages[i], random_message(sizes[i], 1));
      }
    });
  }
}

TEST(MemoryMesh, PiecesAreGatheredAndScattered) {
  for (const std::int64_t size : {std::int64_t{1000}, kLarge}) {
    const Message data = random_message(size, 3);
    run_ranks(memory_mesh(2), [&](Mesh& mesh) {
      const auto half = static_cast<std::size_t>(size / 2);
      if (mesh.rank() == 0) {
        const ConstBytes all(data);
        const ConstBytes pieces[] = {all.first(0), all.first(1), all.subspan(1, half), {}, all.subspan(1 + half)};
        mesh.channel(1).send(kMainStream, pieces).wait();
      } else {
        Message received(data.size());
        const Bytes out(received);
        const Bytes pieces[] = {{}, out.first(half - 9), out.subspan(half - 9), {}};
        mesh.channel(0).receive(kMainStream, pieces).wait();
        EXPECT_EQ(received, data);
      }
    });
  }
}

TEST(MemoryMesh, SmallSendsAndPostedMessagesNeedNoReceiver) {
  auto meshes = memory_mesh(2);
  {
    Message small = random_message(kMemoryMeshKeeps, 1), large = random_message(kLarge, 2);
    Transfer sent = meshes[0]->channel(1).send(kMainStream, ConstBytes(small));
    EXPECT_TRUE(sent.done());
    EXPECT_LE(sent.finished_at(), Clock::now());
    sent.wait();
    meshes[0]->channel(1).post(kMainStream, large);
  }
  EXPECT_EQ(receive_now(*meshes[1], 0, kMemoryMeshKeeps), random_message(kMemoryMeshKeeps, 1));
  EXPECT_EQ(receive_now(*meshes[1], 0, kLarge), random_message(kLarge, 2));
}

TEST(MemoryMesh, LargeMessageIsCopiedOnlyOnceItsReceiverIsThere) {
  auto meshes = memory_mesh(2);
  Message data = random_message(kLarge, 1);
  Transfer sent = meshes[0]->channel(1).send(kMainStream, ConstBytes(data));
  EXPECT_FALSE(sent.done());
  data[5] ^= std::byte{1};  // until then, rank 1 reads from the sender's own memory
  EXPECT_EQ(receive_now(*meshes[1], 0, kLarge), data);
  EXPECT_TRUE(sent.done());
}

TEST(MemoryMesh, StreamsAreIndependent) {
  auto meshes = memory_mesh(2);
  const Message five = random_message(kLarge, 5), six = random_message(10, 6);
  Transfer a = meshes[0]->channel(1).send(5, ConstBytes(five));
  Transfer b = meshes[0]->channel(1).send(6, ConstBytes(six));
  EXPECT_EQ(receive_now(*meshes[1], 0, 10, 6), six);
  EXPECT_EQ(receive_now(*meshes[1], 0, kLarge, 5), five);
}

TEST(MemoryMesh, EachPairAndEachThreadHasItsOwnTraffic) {
  run_ranks(memory_mesh(3, 1), [](Mesh& mesh) {
    const auto talk = [&](Stream stream) {
      for (unsigned i = 0; i < 30; ++i) {
        for (int step = 1; step < mesh.size(); ++step) {
          const int to = (mesh.rank() + step) % mesh.size();
          const int from = (mesh.rank() - step + mesh.size()) % mesh.size();
          const std::int64_t size = i % 3 == 0 ? 100'000 : 100;
          const auto seed = [&](int rank) { return static_cast<unsigned>(rank * 1000 + stream) + i; };
          const Message mine = random_message(size, seed(mesh.rank()));
          Transfer send = mesh.channel(to).send(stream, ConstBytes(mine));
          EXPECT_EQ(receive_now(mesh, from, size, stream), random_message(size, seed(from)));
          send.wait();
        }
      }
    };
    {
      std::jthread background(talk, kOtherStream);
      talk(kMainStream);
    }
    mesh.count_rounds(5);
    const Traffic t = mesh.traffic();
    for (int peer = 0; peer < mesh.size(); ++peer) {
      const PeerTraffic& with = t.peers[static_cast<std::size_t>(peer)];
      const std::int64_t expected = peer == mesh.rank() ? 0 : 2 * (10 * 100'000 + 20 * 100);
      EXPECT_EQ(with.payload_sent, expected);
      EXPECT_EQ(with.payload_received, expected);
      EXPECT_EQ(with.wire_sent, expected);
      EXPECT_EQ(with.messages_sent, peer == mesh.rank() ? 0 : 60);
      EXPECT_EQ(with.messages_received, with.messages_sent);
    }
    EXPECT_EQ(t.rounds, 5);
  });
}

TEST(MemoryMesh, RanksKnowTheirRoles) {
  const auto meshes = memory_mesh(2, 1);
  EXPECT_EQ(meshes.size(), 3u);
  EXPECT_EQ(meshes[2]->rank(), 2);
  EXPECT_EQ(meshes[2]->world().role(), Role::kDealer);
  EXPECT_EQ(meshes[0]->describe(1), "rank 1 (party, in memory)");
  EXPECT_EQ(meshes[0]->describe(2), "rank 2 (dealer, in memory)");
  EXPECT_THROW((void)meshes[0]->channel(0), BrokenInvariant);
  EXPECT_THROW((void)meshes[0]->channel(3), BrokenInvariant);
}

TEST(MemoryMesh, ExportedKeysAgreePairwiseAndNowhereElse) {
  const auto export_all = [](const std::string& label, std::int64_t size) {
    std::map<std::pair<int, int>, Message> keys;
    const auto meshes = memory_mesh(3);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        if (a == b) continue;
        const Secret key = meshes[static_cast<std::size_t>(a)]->channel(b).export_key(label, size);
        const Secret again = meshes[static_cast<std::size_t>(a)]->channel(b).export_key(label + "'", size);
        EXPECT_NE(std::memcmp(key.bytes().data(), again.bytes().data(), 32), 0);
        keys[{a, b}].assign(key.bytes().begin(), key.bytes().end());
      }
    }
    return keys;
  };
  auto keys = export_all("seed", 32);
  EXPECT_EQ((keys[{0, 1}]), (keys[{1, 0}]));
  EXPECT_EQ((keys[{1, 2}]), (keys[{2, 1}]));
  EXPECT_NE((keys[{0, 1}]), (keys[{0, 2}]));
  EXPECT_NE(keys, export_all("seed", 32)) << "another mesh has other keys";
  const auto meshes = memory_mesh(2);
  const Secret shorter = meshes[0]->channel(1).export_key("seed", 32),
               longer = meshes[0]->channel(1).export_key("seed", 64);
  EXPECT_NE(std::memcmp(shorter.bytes().data(), longer.bytes().data(), 32), 0) << "another size is another key";
}

TEST(MemoryMesh, WaitingTellsForWhomAndSinceWhen) {
  auto meshes = memory_mesh(2);
  EXPECT_FALSE(meshes[0]->waiting().has_value());
  std::jthread waiter([&] { (void)receive_now(*meshes[0], 1, 3); });
  while (!meshes[0]->waiting().has_value()) std::this_thread::yield();
  std::this_thread::sleep_for(milliseconds(20));
  const auto waiting = meshes[0]->waiting();
  ASSERT_TRUE(waiting.has_value());
  EXPECT_EQ(waiting->rank, 1);
  EXPECT_GE(waiting->since, milliseconds(20));
  meshes[1]->channel(0).post(kMainStream, Message(3));
  waiter.join();
  EXPECT_FALSE(meshes[0]->waiting().has_value());
}

TEST(MemoryMeshFailure, AnotherLengthThanExpectedNamesPeerAndStep) {
  const auto errors = errors_of_ranks(memory_mesh(3), [](Mesh& mesh) {
    mesh.set_step("opening X");
    if (mesh.rank() == 0) mesh.channel(1).post(kMainStream, Message(64));
    (void)receive_now(mesh, mesh.rank() == 1 ? 0 : 1, 100);
  });
  for (const auto& error : errors) {
    EXPECT_TRUE(is<ProtocolError>(error));
    EXPECT_EQ(culprit_of(error), 0);
    EXPECT_THAT(message_of(error), HasSubstr("rank 0 (party, in memory)"));
    EXPECT_THAT(message_of(error), HasSubstr("64 bytes where 100 were expected"));
    EXPECT_THAT(message_of(error), HasSubstr("in step \"opening X\""));
  }
}

TEST(MemoryMeshFailure, AMeshThatEndsWithoutGoodbyeIsADeadRank) {
  auto meshes = memory_mesh(3);
  std::jthread dies([mesh = std::move(meshes[1])]() mutable { mesh.reset(); });
  for (const std::size_t r : {0u, 2u}) {
    try {
      (void)receive_now(*meshes[r], r == 0 ? 2 : 0, 1);  // including the dead rank
      FAIL();
    } catch (const NetError& error) {
      EXPECT_EQ(error.culprit(), 1);
      EXPECT_THAT(error.what(), HasSubstr("rank 1 (party, in memory) gave up: it ended without finishing its part"));
    }
  }
}

TEST(MemoryMeshFailure, AbortGivesEverybodyTheSameCulpritAndReason) {
  const auto errors = errors_of_ranks(memory_mesh(4), [](Mesh& mesh) {
    if (mesh.rank() == 2) mesh.abort(Exit::kNet, "hash of the transcript differs", 3);
    (void)receive_now(mesh, (mesh.rank() + 1) % 4, 1);
  });
  for (const auto& error : errors) {
    EXPECT_TRUE(is<NetError>(error));
    EXPECT_EQ(culprit_of(error), 3);
    EXPECT_THAT(message_of(error), HasSubstr("hash of the transcript differs"));
  }
}

TEST(MemoryMeshFailure, WaitingForOneWhoHasFinishedIsAProtocolError) {
  for (const bool receives : {true, false}) {
    const auto errors = errors_of_ranks(memory_mesh(2), [&](Mesh& mesh) {
      Message message(kLarge);
      if (mesh.rank() == 0) return;
      Channel& channel = mesh.channel(0);
      (receives ? channel.receive(kMainStream, Bytes(message)) : channel.send(kMainStream, ConstBytes(message))).wait();
    });
    EXPECT_TRUE(is<ProtocolError>(errors[1]));
    EXPECT_EQ(culprit_of(errors[1]), 0);
    EXPECT_THAT(message_of(errors[1]), HasSubstr("has finished its program"));
    EXPECT_TRUE(is<ProtocolError>(errors[0])) << "its goodbye is not answered";
  }
}

TEST(MemoryMeshFailure, MessageThatNobodyAskedForIsFoundAtTheEnd) {
  const auto errors = errors_of_ranks(memory_mesh(2), [](Mesh& mesh) {
    if (mesh.rank() == 0) mesh.channel(1).post(kMainStream, Message(1));
  });
  EXPECT_TRUE(is<ProtocolError>(errors[1]));
  EXPECT_THAT(message_of(errors[1]), HasSubstr("never asked for"));
}

TEST(MemoryMeshFailure, PatienceEndsWithRankStepAndSize) {
  auto meshes = memory_mesh(2, 0, {.patience = milliseconds(50)});
  meshes[0]->set_step("epoch 3");
  const auto begun = Clock::now();
  try {
    (void)receive_now(*meshes[0], 1, 12345);
    FAIL();
  } catch (const NetError& error) {
    EXPECT_EQ(error.culprit(), 1);
    EXPECT_THAT(error.what(), HasSubstr("has kept rank 0 waiting for 0.1 s"));
    EXPECT_THAT(error.what(), HasSubstr("12345 bytes from rank 1, in step \"epoch 3\""));
  }
  EXPECT_GE(Clock::now() - begun, milliseconds(50));
}

TEST(MemoryMeshFailure, AbandonedTransfersLeaveMemoryAloneAndEndTheMesh) {
  for (const bool sends : {true, false}) {
    const auto errors = errors_of_ranks(memory_mesh(2), [&](Mesh& mesh) {
      Channel& channel = mesh.channel(1 - mesh.rank());
      if (mesh.rank() == 0) {
        {
          Message message(kLarge);
          const Transfer transfer =
              sends ? channel.send(kMainStream, ConstBytes(message)) : channel.receive(kMainStream, Bytes(message));
        }
        EXPECT_THROW((void)channel.send(kMainStream, ConstBytes()), BrokenInvariant);
        throw NetError("the disk is full");
      }
      std::this_thread::sleep_for(milliseconds(20));
      if (!sends) channel.post(kMainStream, Message(kLarge));
      (void)receive_now(mesh, 0, kLarge);
    });
    EXPECT_THAT(message_of(errors[1]), HasSubstr("rank 0 (party, in memory) gave up: the disk is full"));
  }
}

TEST(MemoryMeshFailure, AbandoningWhileBytesMoveIsSafe) {
  // The receiver copies while the sender gives up. The copy must end before the memory is freed;
  // sanitizers watch for this.
  const Message original = random_message(kLarge, 1);
  for (int i = 0; i < 50; ++i) {
    auto meshes = memory_mesh(2);
    auto data = std::make_unique<Message>(original);
    Transfer send = meshes[0]->channel(1).send(kMainStream, ConstBytes(*data));
    Message received(kLarge);
    std::jthread receiver([&, mesh = std::move(meshes[1])] {
      try {
        mesh->channel(0).receive(kMainStream, Bytes(received)).wait();
        EXPECT_TRUE(received == original);
      } catch (const NetError& error) {
        EXPECT_EQ(error.culprit(), 0);
      }
    });
    if (i % 2 == 0) std::this_thread::yield();
    send = Transfer();
    data.reset();
    meshes[0].reset();
  }
}

TEST(MemoryMesh, WorldOfOneNeedsNoPeers) {
  run_ranks(memory_mesh(1), [](Mesh& mesh) { EXPECT_EQ(mesh.traffic().total().wire_sent, 0); });
}

}  // namespace
}  // namespace tacit::net
