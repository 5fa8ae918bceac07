#include "net/collectives/background_all_reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "net/collectives/bucketed_all_reduce.h"
#include "net/collectives/collectives.h"
#include "net/collectives/cut.h"
#include "net/error.h"
#include "net/memory/emulated_mesh.h"
#include "net/memory/memory_mesh.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_tensors.h"

namespace tacit::net {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using Shapes = std::vector<WordShape>;
using Milliseconds = std::chrono::duration<double, std::milli>;

std::vector<Words> copy(Tensors tensors) { return {tensors.begin(), tensors.end()}; }

class BackgroundOver : public testing::TestWithParam<MeshKind> {};

INSTANTIATE_TEST_SUITE_P(Every, BackgroundOver, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(BackgroundOver, MeshGivesTheSameSumsInTheOrderOfTheStarts) {
  const Shapes lists[] = {{{1000, 51}, {3, 64}}, {}, {{100'000, 64}}, {{7, 1}}};
  run_ranks(GetParam().make(3, 1), [&](Mesh& mesh) {
    if (!mesh.world().is_party()) return;
    BackgroundAllReduce background(mesh, AllReducePlan::unmeasured(3));
    std::vector<SampleTensors> samples;
    std::vector<BackgroundAllReduce::Ticket> tickets;
    for (const Shapes& shapes : lists) samples.emplace_back(shapes, mesh.rank());
    for (const SampleTensors& sample : samples) tickets.push_back(background.start(copy(sample.tensors())));
    background.finish(tickets[3]);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      EXPECT_TRUE(background.done(tickets[i])) << "what was started before is done before";
      background.finish(tickets[i]);
      EXPECT_EQ(samples[i].values(), sum_of_samples(lists[i], 3));
    }
  });
}

TEST_P(BackgroundOver, MeshSumsBucketsInPlace) {
  const Shapes layers = {{1000, 32}, {10, 32}, {50'000, 32}, {30, 32}, {2000, 32}, {5, 51}};
  struct Case {
    std::int64_t bucket_bytes;
    std::vector<Shapes> buckets;
  };
  const Case cases[] = {
      {1, {{layers[0]}, {layers[1]}, {layers[2]}, {layers[3]}, {layers[4]}, {layers[5]}}},
      {4040, {{layers[0], layers[1]}, {layers[2]}, {layers[3], layers[4]}, {layers[5]}}},
      {10'000'000, {layers}},
  };
  const AllReducePlan plan = AllReducePlan::unmeasured(3);
  run_ranks(GetParam().make(3, 0), [&](Mesh& mesh) {
    BackgroundAllReduce background(mesh, plan);
    for (const auto& [bucket_bytes, expected] : cases) {
      Cost cost;
      for (const Shapes& bucket : expected) {
        cost += all_reduce_cost(plan.choose(packed_bytes(bucket)), bucket, 3, mesh.rank());
      }
      BucketedAllReduce buckets(background, bucket_bytes);
      for (int pass = 0; pass < 2; ++pass) {
        const SampleTensors sample(layers, mesh.rank());
        const Traffic before = mesh.traffic();
        for (const Words& tensor : sample.tensors()) buckets.add(tensor);
        buckets.finish();
        const Traffic moved = mesh.traffic() - before;
        EXPECT_EQ(sample.values(), sum_of_samples(layers, 3));
        EXPECT_EQ((Cost{moved.rounds, moved.total().payload_sent, moved.total().messages_sent}), cost);
      }
    }
  });
}

TEST(BackgroundAllReduce, OverlapsWithComputing) {
  // 4 x 50 kB at 20 Mbit/s take 80 ms; so does the computing. One after the other they would take 160 ms.
  const Link link{milliseconds(4), 20e6};
  const Shapes layer = {{50'000 / 8, 64}};
  Milliseconds best{1e9};
  for (int attempt = 0; attempt < 5 && best.count() > 130; ++attempt) {
    Meshes meshes = memory_mesh(2);
    for (auto& mesh : meshes) mesh = emulate_link(std::move(mesh), link);
    Milliseconds took{};
    run_ranks(std::move(meshes), [&](Mesh& mesh) {
      BackgroundAllReduce background(mesh, AllReducePlan::unmeasured(2));
      BucketedAllReduce buckets(background, 50'000);
      std::vector<SampleTensors> layers;
      for (int i = 0; i < 4; ++i) layers.emplace_back(layer, mesh.rank());
      Group group(mesh);
      barrier(group);
      const auto begin = Clock::now();
      for (const SampleTensors& sample : layers) {
        std::this_thread::sleep_for(milliseconds(20));  // the layer's own computation
        buckets.add(sample.tensors()[0]);
      }
      buckets.finish();
      if (mesh.rank() == 0) took = Clock::now() - begin;
      for (const SampleTensors& sample : layers) EXPECT_EQ(sample.values(), sum_of_samples(layer, 2));
    });
    best = std::min(best, took);
    EXPECT_GE(took.count(), 100) << "80 ms of computing, and the last layer's 20 ms after it";
  }
  EXPECT_LT(best.count(), 130);
}

TEST(BackgroundAllReduce, ForegroundGoesOnMeanwhile) {
  const Shapes large = {{300'000, 64}}, small = {{10, 64}};
  run_ranks(memory_mesh(3), [&](Mesh& mesh) {
    BackgroundAllReduce background(mesh, AllReducePlan::unmeasured(3));
    const SampleTensors big(large, mesh.rank());
    const auto ticket = background.start(copy(big.tensors()));
    Group group(mesh);
    for (int i = 0; i < 100; ++i) {
      const SampleTensors sample(small, mesh.rank());
      all_reduce(group, sample.tensors(), AllReduce::kDirect);
      EXPECT_EQ(sample.values(), sum_of_samples(small, 3));
    }
    background.finish(ticket);
    EXPECT_EQ(big.values(), sum_of_samples(large, 3));
  });
}

TEST(BackgroundAllReduce, FailureEndsFinishWithItsReason) {
  const auto errors = errors_of_ranks(memory_mesh(3), [](Mesh& mesh) {
    if (mesh.rank() == 1) throw NetError("the disk is full");
    BackgroundAllReduce background(mesh, AllReducePlan::unmeasured(3));
    const SampleTensors sample({{100'000, 64}}, mesh.rank());
    const auto first = background.start(copy(sample.tensors()));
    const auto second = background.start({});
    EXPECT_THROW(background.finish(first), NetError);
    EXPECT_TRUE(background.done(second));
    background.finish(second);
  });
  EXPECT_THAT(message_of(errors[0]), HasSubstr("rank 1 (party, in memory) gave up: the disk is full"));
  EXPECT_THAT(message_of(errors[2]), HasSubstr("rank 1 (party, in memory) gave up: the disk is full"));
}

TEST(BackgroundAllReduce, GivingUpHalfWayEndsItAtOnceAndTheOthersToo) {
  const auto begin = Clock::now();
  const auto errors = errors_of_ranks(memory_mesh(2), [](Mesh& mesh) {
    const SampleTensors sample({{100'000, 64}}, mesh.rank());
    if (mesh.rank() == 0) {
      BackgroundAllReduce background(mesh, AllReducePlan::unmeasured(2));
      (void)background.start(copy(sample.tensors()));
      while (!mesh.waiting().has_value()) std::this_thread::yield();
      throw ConfigError("out of memory");
    }
    std::byte byte{};
    mesh.channel(0).receive(kMainStream, Bytes(&byte, 1)).wait();
  });
  EXPECT_THAT(message_of(errors[0]), HasSubstr("out of memory"));
  EXPECT_THAT(message_of(errors[1]), HasSubstr("gave up: it gave up an all-reduce in the background"));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
}

TEST(BackgroundAllReduce, EndsWithoutHavingBeenUsed) {
  run_ranks(memory_mesh(2), [](Mesh& mesh) {
    BackgroundAllReduce background(mesh, AllReducePlan::unmeasured(2));
    EXPECT_THROW(background.finish({}), BrokenInvariant);
  });
}

}  // namespace
}  // namespace tacit::net
