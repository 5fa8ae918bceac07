// A rank repeats its part of a run alone, from a record of its peers' messages. With every number of threads, the rank sends
// the same bytes and learns the same losses as in the run.
#include "bench/programs/replayed_mesh.h"

#include <gtest/gtest.h>

#include "bench/programs/alone.h"
#include "tests/gnn/train/sample_run.h"
#include "tests/mpc/wire_trace.h"

namespace tacit::net {
namespace {

using gnn::Sample;

gnn::Events train(Mesh& mesh, const Sample& sample, int threads) {
  if (!mesh.world().is_party()) {
    mpc::DealerSession session(mesh, {.threads = threads});
    gnn::Events events = gnn::secret_run(session, sample);
    session.flush();
    return events;
  }
  mpc::PartySession session(mesh, AllReducePlan({{0, AllReduce::kDirect}}), {.threads = threads});
  return gnn::secret_run(session, sample);
}

// The bytes that a rank sent, as a text. The record may hold messages of other ranks.
std::string sent_by(int rank, const Record& record) {
  Record own;
  for (SentMessage& message : record.messages()) {
    if (message.from == rank) own.add(std::move(message));
  }
  return mpc::wire_trace(own);
}

Meshes alone(std::span<const SentMessage> messages, const World& world, Clock::duration& copying) {
  Meshes meshes;
  meshes.push_back(replayed(messages, world, copying));
  return mpc::with_fixed_randomness(std::move(meshes));
}

TEST(ReplayedMesh, ARankAloneSendsAndLearnsTheSameAsWithItsPeers) {
  Sample sample = gnn::sensors_sample(gnn::GraphKind::kPrivateDense, 40);
  sample.plan.epochs = 3;
  for (const int parties : {2, 3}) {
    Record record;
    std::vector<gnn::Events> learned(static_cast<std::size_t>(parties) + 1);
    run_ranks(recorded(mpc::with_fixed_randomness(mesh_kind("Memory").make(parties, 1)), record),
              [&](Mesh& mesh) { learned[static_cast<std::size_t>(mesh.rank())] = train(mesh, sample, 1); });
    const std::vector<SentMessage> messages = record.messages();
    for (int rank = 0; rank <= parties; ++rank) {
      const std::string expected = sent_by(rank, record);
      EXPECT_FALSE(expected.empty());
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(testing::Message() << parties << " parties, rank " << rank << ", " << threads << " threads");
        Record again;
        Clock::duration copying{};
        const Meshes meshes = recorded(alone(messages, {rank, parties, 1}, copying), again);
        const gnn::Events events = train(*meshes.front(), sample, threads);
        EXPECT_EQ(sent_by(rank, again), expected);
        EXPECT_GT(copying, Clock::duration::zero());
        const gnn::Events& before = learned[static_cast<std::size_t>(rank)];
        ASSERT_EQ(events.size(), before.size());
        for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].loss, before[i].loss);
      }
    }
  }
}

TEST(ReplayedMesh, MessagesOfAStreamKeepTheirOrderAndStreamsAreIndependent) {
  const auto message = [](int from, int to, Stream stream, int first) {
    return SentMessage{from, to, "", {std::byte(first), std::byte(first + 1)}, stream};
  };
  const std::vector<SentMessage> messages{message(1, 0, 0, 10), message(0, 1, 0, 20), message(1, 0, 7, 30),
                                          message(1, 0, 0, 40), message(2, 0, 0, 50)};
  Clock::duration copying{};
  const auto mesh = replayed(messages, {0, 2, 1}, copying);
  const auto receive = [&](int peer, Stream stream) {
    std::byte a{}, b{};
    const std::vector<Bytes> pieces{std::span(&a, 1), std::span(&b, 1)};
    Transfer transfer = mesh->channel(peer).receive(stream, pieces);
    EXPECT_TRUE(transfer.done());
    EXPECT_EQ(std::to_integer<int>(b), std::to_integer<int>(a) + 1);
    return std::to_integer<int>(a);
  };
  EXPECT_EQ(receive(1, 7), 30);
  EXPECT_EQ(receive(1, 0), 10);
  EXPECT_EQ(receive(1, 0), 40);
  EXPECT_EQ(receive(2, 0), 50);
  EXPECT_THROW(receive(1, 0), ProtocolError);  // the record has no more messages
  EXPECT_THROW(receive(2, 9), ProtocolError);
}

TEST(ReplayedMesh, AMessageOfAnotherLengthIsAnError) {
  const std::vector<SentMessage> messages{{1, 0, "", {std::byte{1}, std::byte{2}}, kMainStream}};
  Clock::duration copying{};
  const auto mesh = replayed(messages, {0, 2, 0}, copying);
  std::byte one{};
  EXPECT_THROW(static_cast<void>(mesh->channel(1).receive(kMainStream, std::span(&one, 1))), ProtocolError);
}

TEST(Alone, ARankThatDoesNotExistIsRefused) {
  bench::Alone option;
  CLI::App app;
  option.add_options(app, "");
  app.parse("--alone 3 --threads 1,2");
  EXPECT_EQ(option.threads(), (std::vector{1, 2}));
  const auto nothing = [](Mesh&) {};
  const auto never = [](Mesh&, int, const bench::Labels&, const Clock::duration&) { ADD_FAILURE(); };
  EXPECT_THROW(option.measure(mesh_kind("Memory").make(2, 1), nothing, never), ConfigError);
}

TEST(Alone, EveryNumberOfThreadsRunsOnce) {
  bench::Alone option;
  CLI::App app;
  option.add_options(app, "");
  EXPECT_FALSE(option);
  app.parse("--alone 2 --threads 1,3");
  EXPECT_TRUE(option);
  std::vector<int> threads;
  const auto echo = [](Mesh& mesh) {
    std::byte one{5};
    if (mesh.rank() == 0) mesh.channel(2).post(kMainStream, std::span(&one, 1));
    if (mesh.rank() == 2) mesh.channel(0).receive(kMainStream, std::span(&one, 1)).wait();
  };
  option.measure(
      mesh_kind("Memory").make(2, 1), echo,
      [&](Mesh& mesh, int number, const bench::Labels& labels, const Clock::duration&) {
        threads.push_back(number);
        EXPECT_EQ(mesh.rank(), 2);
        EXPECT_EQ(labels, (bench::Labels{{"n", "2"}, {"alone", "the dealer"}, {"threads", std::to_string(number)}}));
        std::byte one{};
        mesh.channel(0).receive(kMainStream, std::span(&one, 1)).wait();
        EXPECT_EQ(one, std::byte{5});
      });
  EXPECT_EQ(threads, (std::vector{1, 3}));
}

}  // namespace
}  // namespace tacit::net
