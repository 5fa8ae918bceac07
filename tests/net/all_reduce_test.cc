#include "net/collectives/all_reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "net/collectives/cut.h"
#include "net/collectives/made_words.h"
#include "net/error.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_tensors.h"
#include "tests/net/streams.h"
#include "tests/sanitized.h"

namespace tacit::net {
namespace {

using Shapes = std::vector<WordShape>;

std::vector<Shapes> small_lists() {
  std::vector<Shapes> lists;
  for (const int bits : {1, 7, 13, 38, 51, 63, 64}) {
    for (const std::int64_t count : {0, 1, 3, 17, 1001}) lists.push_back({{count, bits}});
  }
  lists.push_back({});
  lists.push_back({{5, 64}, {0, 1}, {1000, 51}, {1, 38}, {77, 1}});
  lists.push_back(Shapes(300, {3, 13}));
  return lists;
}

// Several segments to each party; some lie in place and some do not.
std::vector<Shapes> long_lists(int parties) {
  const std::int64_t words = parties * kSegmentBytes / 8;  // one segment to each
  return {{{words * 5 + 11, 64}}, {{words + 3, 51}, {9, 64}, {words + 1, 64}, {words, 7}}};
}

// The inputs of all ranks and their common result, computed once for all ranks.
struct Example {
  Example(Shapes list, int parties) : shapes(std::move(list)), sum(sum_of_samples(shapes, parties)) {
    for (int r = 0; r < parties; ++r) samples.emplace_back(shapes, r);
  }

  Shapes shapes;
  std::vector<SampleTensors> samples;  // by rank
  std::vector<std::vector<std::uint64_t>> sum;
};

void expect_all_reduce(Mesh& mesh, Group& group, const Example& example, AllReduce algorithm) {
  SCOPED_TRACE(std::string(name(algorithm)) + " of " + describe(example.shapes) + " at rank " +
               std::to_string(mesh.rank()) + " of " + std::to_string(mesh.parties()));
  const SampleTensors own = example.samples[static_cast<std::size_t>(mesh.rank())];
  const Traffic before = mesh.traffic();
  all_reduce(group, own.tensors(), algorithm);
  const Traffic moved = mesh.traffic() - before;

  EXPECT_TRUE(own.holds(example.sum));
  const Cost stated = all_reduce_cost(algorithm, example.shapes, mesh.parties(), mesh.rank());
  EXPECT_EQ(moved.rounds, stated.rounds);
  EXPECT_EQ(moved.total().payload_sent, stated.bytes);
  EXPECT_EQ(moved.total().messages_sent, stated.messages);
}

class AllReduceOver : public testing::TestWithParam<MeshKind> {};

INSTANTIATE_TEST_SUITE_P(Every, AllReduceOver, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(AllReduceOver, MeshGivesTheSumAtTheStatedCost) {
  const bool memory = GetParam().name == "Memory";
  for (const int parties : memory ? std::vector{1, 2, 3, 4, 5, 8} : std::vector{2, 3}) {
    std::vector<Example> examples;
    for (const Shapes& shapes : small_lists()) examples.emplace_back(shapes, parties);
    run_ranks(GetParam().make(parties, 1), [&](Mesh& mesh) {
      if (!mesh.world().is_party()) return;
      Group group(mesh);
      for (const AllReduce algorithm : kAllReduceAlgorithms) {
        for (const Example& example : examples) expect_all_reduce(mesh, group, example, algorithm);
      }
    });
  }
}

// Cuts the work as several threads would: small ranges, the last one first.
void backwards(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& work) {
  const std::int64_t each = grain / 4 + 1;
  for (std::int64_t end = count; end > 0; end -= std::min(end, each)) work(std::max(end - each, std::int64_t{0}), end);
}

// The first rank packs and unpacks as on several threads, and the others as on one.
TEST_P(AllReduceOver, MeshMovesLongTensorsSegmentBySegment) {
  for (const int parties : kSlowdown > 1 ? std::vector{3} : std::vector{2, 3}) {
    for (const Shapes& shapes : long_lists(parties)) {
      const Example example(shapes, parties);
      run_ranks(GetParam().make(parties, 0), [&](Mesh& mesh) {
        Group group(mesh);
        if (mesh.rank() == 0) group.set_ranges(backwards);
        for (const AllReduce algorithm : kAllReduceAlgorithms) expect_all_reduce(mesh, group, example, algorithm);
      });
    }
  }
}

// Words that are made when they are needed: the same sums at the same cost, and each word is made once.
TEST_P(AllReduceOver, MeshSendsWordsWhileLaterOnesAreMade) {
  for (const int parties : {1, 2, 3, 5}) {
    for (const WordShape shape : {WordShape{0, 15}, WordShape{3, 64}, WordShape{parties * kSegmentBytes + 77, 15}}) {
      const Example example({shape}, parties);
      run_ranks(GetParam().make(parties, 0), [&](Mesh& mesh) {
        Group group(mesh);
        for (const AllReduce algorithm : kAllReduceAlgorithms) {
          const SampleTensors full = example.samples[static_cast<std::size_t>(mesh.rank())];
          const SampleTensors own({shape}, mesh.rank());
          const Words& from = full.tensors()[0];
          const Words& to = own.tensors()[0];
          std::ranges::fill(to.words, 0);
          std::vector<int> made(to.words.size());
          std::int64_t calls = 0;
          const Traffic before = mesh.traffic();
          all_reduce(group, to, algorithm, [&](std::int64_t begin, std::int64_t count) {
            ++calls;
            for (std::size_t i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(begin + count); ++i) {
              to.words[i] += from.words[i];
              ++made[i];
            }
          });
          const Traffic moved = mesh.traffic() - before;
          SCOPED_TRACE(std::string(name(algorithm)) + " of " + std::to_string(shape.count) + " by " +
                       std::to_string(parties));
          EXPECT_TRUE(own.holds(example.sum));
          EXPECT_TRUE(std::ranges::all_of(made, [](int times) { return times == 1; }));
          const Cost stated = all_reduce_cost(algorithm, example.shapes, parties, mesh.rank());
          EXPECT_EQ(moved.rounds, stated.rounds);
          EXPECT_EQ(moved.total().payload_sent, stated.bytes);
          EXPECT_EQ(moved.total().messages_sent, stated.messages);
          const bool overlaps = algorithm == AllReduce::kDirect || algorithm == AllReduce::kTwoPhase;
          if (overlaps && parties > 1 && shape.count > 100) {
            EXPECT_GT(calls, 1);
          }
        }
      });
    }
  }
}

TEST_P(AllReduceOver, MeshAddsBitsModuloTwoNextToWords) {
  constexpr int kParties = 3;
  for (const std::size_t count : {1U, 1001U, 200'003U}) {
    const auto bits_of = [](std::size_t i, int rank) {
      return (i + 1) * 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(rank + 1);
    };
    run_ranks(GetParam().make(kParties, 1), [&](Mesh& mesh) {
      if (!mesh.world().is_party()) return;
      Group group(mesh);
      for (const AllReduce algorithm : kAllReduceAlgorithms) {
        std::vector<std::uint64_t> bits(count), words(count, 5);
        for (std::size_t i = 0; i < count; ++i) bits[i] = bits_of(i, mesh.rank());
        const std::array tensors{Words{bits, kWordBits, Sum::kXor}, Words{words, 4}};
        all_reduce(group, tensors, algorithm);
        bool right = true;
        for (std::size_t i = 0; i < count; ++i) {
          right &= bits[i] == (bits_of(i, 0) ^ bits_of(i, 1) ^ bits_of(i, 2)) && words[i] == 15;
        }
        EXPECT_TRUE(right) << name(algorithm) << " of " << count << " words";
      }
    });
  }
}

TEST_P(AllReduceOver, MeshRunsInBackgroundAndForegroundAtOnce) {
  const Example large({{200'003, 51}}, 3), small({{100, 64}}, 3);
  run_ranks(GetParam().make(3, 0), [&](Mesh& mesh) {
    const auto run = [&mesh](const Example& example, Stream stream, int times) {
      Group group(mesh, stream);
      for (int i = 0; i < times; ++i) {
        const SampleTensors own = example.samples[static_cast<std::size_t>(mesh.rank())];
        all_reduce(group, own.tensors(), kAllReduceAlgorithms[static_cast<std::size_t>(i % 4)]);
        EXPECT_TRUE(own.holds(example.sum));
      }
    };
    std::jthread background([&] { run(large, kOtherStream, 4); });
    run(small, kMainStream, 50);
  });
}

TEST_P(AllReduceOver, MeshSurvivesRanksThatComeLate) {
  const Example example({{3 * kSegmentBytes / 8, 64}}, 3);
  run_ranks(GetParam().make(3, 0), [&](Mesh& mesh) {
    Group group(mesh);
    int late = 0;
    for (const AllReduce algorithm : kAllReduceAlgorithms) {
      if (mesh.rank() == late++ % 3) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      expect_all_reduce(mesh, group, example, algorithm);
    }
  });
}

TEST_P(AllReduceOver, MeshEndsEverywhereWhenOnePartyFails) {
  for (const AllReduce algorithm : kAllReduceAlgorithms) {
    const auto errors = errors_of_ranks(GetParam().make(4, 0), [&](Mesh& mesh) {
      Group group(mesh);
      if (mesh.rank() == 2) throw NetError("the disk is full");
      const SampleTensors sample({{1'000'000, 64}}, mesh.rank());
      all_reduce(group, sample.tensors(), algorithm);
    });
    for (const std::size_t r : {0u, 1u, 3u}) {
      EXPECT_NE(message_of(errors[r]).find("gave up: the disk is full"), std::string::npos)
          << name(algorithm) << " at rank " << r << ": " << message_of(errors[r]);
    }
  }
}

TEST(AllReduceCost, IsWhatTheDesignStates) {
  const Shapes shapes = {{8000, 64}};  // 64 000 bytes
  const Cost direct = all_reduce_cost(AllReduce::kDirect, shapes, 4, 1);
  EXPECT_EQ(direct, (Cost{1, 3 * 64'000, 3}));
  EXPECT_EQ(all_reduce_cost(AllReduce::kStar, shapes, 4, 0), (Cost{2, 3 * 64'000, 3}));
  EXPECT_EQ(all_reduce_cost(AllReduce::kStar, shapes, 4, 1), (Cost{2, 64'000, 1}));
  EXPECT_EQ(all_reduce_cost(AllReduce::kTwoPhase, shapes, 4, 1), (Cost{2, 2 * 3 * 64'000 / 4, 6}));
  EXPECT_EQ(all_reduce_cost(AllReduce::kRing, shapes, 4, 1), (Cost{6, 2 * 3 * 64'000 / 4, 6}));
}

TEST(Group, HasNoPlaceForAHelper) {
  const auto meshes = every_mesh().front().make(2, 1);
  EXPECT_THROW(Group group(*meshes[2]), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::net
